import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import tls from 'node:tls';
import { AppError } from '#shared/errors/app-error.ts';

const maxFileBytes = 8 * 1024 * 1024;
// No dash between: a file of beginnings without an end would be searched to its end for each.
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

// What Node began with; `tls.getCACertificates('default')` gives back what was set later.
let builtIn: readonly string[] | null = null;

/**
 * Makes all TLS connections of this process trust the system's certificate authorities and these, beside Node's own. A
 * company's proxy signs with one that only the system knows. False where the runtime can't (Node before 24.5).
 */
export function trustAuthorities(extra: readonly string[]): boolean {
  if (typeof tls.setDefaultCACertificates !== 'function') return false;
  builtIn ??= tls.getCACertificates('default');
  // The system's store names many twice, and each costs time.
  const trust = (system: readonly string[], known: readonly string[]): void =>
    tls.setDefaultCACertificates([...new Set([...known, ...system, ...extra])]);
  try {
    trust(systemAuthorities(), builtIn);
  } catch {
    // One of the system's that can't be read must not cost the others.
    trust([], builtIn);
  }
  return true;
}

// Each call reads the store anew, some tens of milliseconds.
function systemAuthorities(): readonly string[] {
  try {
    return tls.getCACertificates('system');
  } catch {
    // A store that can't be read has none to give.
    return [];
  }
}

/**
 * The certificates in a PEM file.
 * @throws AppError `input.invalid` {field: 'extraCaFile', file, why}
 */
export async function readAuthorities(file: string): Promise<string[]> {
  const text = await readText(file);
  const found = text.match(certificatePattern) ?? [];
  if (found.length === 0)
    throw invalid(file, 'it holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)');
  for (const [index, pem] of found.entries()) {
    if (!isCertificate(pem))
      throw invalid(file, `certificate ${index + 1} of ${found.length} in it is damaged`);
  }
  return found;
}

async function readText(file: string): Promise<string> {
  try {
    // Before it is opened: opening a pipe waits for whoever writes into it.
    const facts = await stat(file);
    if (!facts.isFile()) throw invalid(file, 'it is not a file');
    if (facts.size > maxFileBytes) throw invalid(file, 'it is too large for a list of certificates');
    return await readFile(file, 'latin1');
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(file, error);
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function unreadable(file: string, error: unknown): AppError {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  const why = code === 'ENOENT' ? 'there is no such file' : `it can’t be read (${String(code)})`;
  return invalid(file, why);
}

function invalid(file: string, why: string): AppError {
  return new AppError('input.invalid', `The certificate file ${file} can't be used: ${why}`, {
    details: { field: 'extraCaFile', file, why: `${file}: ${why}` },
  });
}
