import { say } from './prepare/paths.mjs';

/** A reporter of Vitest's that names the tests which failed at first: they pass in CI, and want mending. */
export default class RetriedReporter {
  /** @type {string[]} */
  #names = [];

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd() {
    for (const name of this.#names) say(`Passed only when tried again, mend it: ${name}`);
  }
}
