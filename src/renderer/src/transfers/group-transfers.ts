import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';

/** Transfers under one heading. */
export interface TransferGroup {
  title: string;
  transfers: readonly Transfer[];
}

const groups: readonly { title: string; states: readonly TransferState[] }[] = [
  { title: 'Active', states: ['preparing', 'downloading', 'verifying', 'finalizing'] },
  { title: 'Needs you', states: ['failed'] },
  { title: 'Waiting', states: ['waiting', 'queued'] },
  { title: 'Paused', states: ['paused'] },
  { title: 'Done', states: ['done'] },
  { title: 'Cancelled', states: ['cancelled'] },
];

/** Transfers by what they do, without empty groups. */
export function groupTransfers(transfers: readonly Transfer[]): TransferGroup[] {
  return groups.flatMap(({ title, states }) => {
    const members = transfers.filter(({ state }) => states.includes(state));
    return members.length === 0
      ? []
      : [{ title: `${title} · ${describeMembers(title, members)}`, transfers: members }];
  });
}

function describeMembers(title: string, members: readonly Transfer[]): string {
  if (title !== 'Done') return String(members.length);
  const verified = members.filter(({ verification }) => verification === 'checksum').length;
  const unverified = members.length - verified;
  return unverified === 0
    ? `${verified} verified`
    : `${verified} verified, ${unverified} without a checksum to verify`;
}
