import { expect, it } from 'vitest';
import { readPacAnswer } from './pac-answer.ts';

it.each([
  ['DIRECT', [null]],
  ['PROXY proxy.example:3128; DIRECT', ['http proxy.example:3128', null]],
  [
    'HTTPS secure:443;SOCKS5 socks:1080 ; SOCKS old:1081',
    ['https secure:443', 'socks5 socks:1080', 'socks4 old:1081'],
  ],
  ['PROXY [fd00::1]:8080', ['http [fd00::1]:8080']],
  ['QUIC q:1; PROXY; nonsense', []],
  ['', []],
])('%s', (answer, expected) => {
  expect(readPacAnswer(answer).map((way) => way && `${way.protocol} ${way.label}`)).toEqual(expected);
});
