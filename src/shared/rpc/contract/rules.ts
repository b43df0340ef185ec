import { z } from 'zod';
import { downloadRuleSchema, ruleRunSchema, ruleTermsSchema } from '../../transfer/download-rule.ts';
import { command, stream } from '../define-contract.ts';
import { nothing } from './common.ts';

const savedSearchId = z.number().int();

/** Rules that order new Items of saved searches. Of the catalog in use. */
export const rulesContract = {
  /** All rules, and which of them is running. */
  watch: stream({
    input: nothing,
    event: z.object({ rules: z.array(downloadRuleSchema), runningId: savedSearchId.nullable() }),
    errors: [],
  }),
  /**
   * Makes the rule of a saved search, or changes it, and switches it on. A new one orders what comes from now on; with
   * `includesPresent` also what is there and wasn't seen yet.
   */
  save: command({
    input: ruleTermsSchema.extend({ savedSearchId, includesPresent: z.boolean() }),
    output: nothing,
    errors: ['saved.not-found', 'transfer.destination-missing', 'transfer.destination-not-writable'],
  }),
  switch: command({
    input: z.object({ savedSearchId, isOn: z.boolean() }),
    output: nothing,
    errors: ['saved.not-found'],
  }),
  /** Forgets the rule; what it ordered stays in the queue. */
  remove: command({ input: z.object({ savedSearchId }), output: nothing, errors: ['saved.not-found'] }),
  /** Runs it now, also when it is switched off. What went wrong is in the answer. */
  run: command({ input: z.object({ savedSearchId }), output: ruleRunSchema, errors: ['saved.not-found'] }),
};
