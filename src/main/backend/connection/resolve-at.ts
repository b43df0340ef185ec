import { toAppError } from '#shared/errors/app-error.ts';
import { untilAborted } from '../http/until-aborted.ts';
import type { LinkedAsset, ResolveLink } from '../links/link.ts';
import { wasOnlyTold } from '../links/link-calls.ts';
import type { Connection } from './connection.ts';

/**
 * A link from a catalog; what is met says whether the catalog is there and lets us in. Who was only told of a login that
 * another was asked for asks once more where the catalog lets us in: else one file that is refused would put to sleep
 * all that take their turn after it.
 * @throws AppError as ResolveLink; `cancelled`
 */
export async function resolveAt(
  connection: Connection,
  ...[asset, options]: Parameters<ResolveLink>
): Promise<LinkedAsset> {
  const { resolveLink } = await connection.access();
  try {
    return await resolveLink(asset, options);
  } catch (thrown) {
    const letIn = connection.note(thrown);
    if (!wasOnlyTold(toAppError(thrown))) throw thrown;
    if (!(await untilAborted(letIn, options.signal))) throw thrown;
    return resolveLink(asset, options);
  }
}
