import type { S3Access } from '#shared/connection/s3-access.ts';

/** Whether a person's own AWS credentials may be used, in words. */
export const s3AccessOptions: readonly { value: S3Access; label: string }[] = [
  { value: 'off', label: 'Not used' },
  { value: 'credentials', label: 'Used where the provider pays' },
  { value: 'requester-pays', label: 'Used, also where you pay' },
];
