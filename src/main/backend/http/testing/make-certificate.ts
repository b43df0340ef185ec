import { generate } from 'selfsigned';

/** A server's key and certificate in PEM form, and the authority that alone vouches for it. */
export interface Certificate {
  key: string;
  cert: string;
  authority: string;
}

/** Makes a certificate for the given host names and IPv4 addresses. */
export async function makeCertificate(...names: string[]): Promise<Certificate> {
  const authority = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  });
  const own = await generate([{ name: 'commonName', value: names[0] ?? 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: names.map((value) =>
          /^[\d.]+$/.test(value) ? { type: 7, ip: value } : { type: 2, value },
        ),
      },
    ],
  });
  return { key: own.private, cert: own.cert, authority: authority.cert };
}
