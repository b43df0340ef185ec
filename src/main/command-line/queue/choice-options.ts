import { Option, type Command } from 'commander';
import { s3AccessSchema, type S3Access } from '#shared/connection/s3-access.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { assetRuleSchema, isEmptyRule, noAssets, type AssetRule } from '#shared/selection/asset-rule.ts';
import type { LinkMode, TransferPriority } from '#shared/transfer/transfer.ts';
import { splitList } from '../read-search-options.ts';

/** Options that say which assets are wanted and how they are fetched, as written. */
export interface ChoiceOptions {
  assets?: string;
  roles?: string;
  bands?: string;
  pattern?: string;
  links: LinkMode;
}

/** The option that says how much sooner than others files are fetched. */
export interface PriorityOptions {
  priority: TransferPriority;
}

/** The option that says whether the user's own AWS credentials may be used. */
export interface S3Options {
  s3Access?: S3Access;
}

/** Adds the options that choose assets and links. */
export function addChoiceOptions(command: Command): Command {
  return command
    .option('--assets <keys>', 'assets by key: a,b')
    .option('--roles <roles>', 'assets by role: data,overview')
    .option('--bands <bands>', 'assets by band: red,nir')
    .option('--pattern <patterns>', 'assets by pattern of key or file name: "B0*, SCL"')
    .addOption(
      new Option('--links <kind>', 'which download links to use')
        .choices(['auto', 'signed', 'proxy'])
        .default('auto'),
    );
}

/** Adds the option of whose credentials. */
export function addS3Option(command: Command): Command {
  return command.addOption(
    new Option(
      '--s3-access <use>',
      'your own AWS credentials, for files in s3 without a link; left out: as the catalog is set up',
    ).choices(s3AccessSchema.options),
  );
}

/** Adds the option of how soon. */
export function addPriorityOption(command: Command): Command {
  return command.addOption(
    new Option('--priority <priority>', 'how much sooner than others')
      .choices(['high', 'normal', 'low'])
      .default('normal'),
  );
}

/** The choice that the options make: what fits any of them. @throws AppError `input.invalid` when none is given */
export function readChoice({ assets, roles, bands, pattern }: ChoiceOptions): AssetRule {
  const list = (option: string, text: string | undefined) =>
    text === undefined ? [] : splitList(option, text);
  const rule = assetRuleSchema.safeParse({
    ...noAssets,
    keys: list('assets', assets),
    roles: list('roles', roles),
    bands: list('bands', bands),
    pattern: pattern ?? '',
  });
  const why = !rule.success
    ? 'a name or pattern is too long'
    : isEmptyRule(rule.data)
      ? 'say which assets: --assets, --roles, --bands or --pattern'
      : null;
  if (rule.success && why === null) return rule.data;
  throw new AppError('input.invalid', `--assets: ${why ?? ''}`, {
    details: { field: 'assets', why: why ?? '' },
  });
}
