import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';

const pieceBytes = 64 * 1024;
const pieceMs = 20;

/** A body, and what befalls it. */
export interface BodyToSend {
  body: Buffer;
  fault: Fault;
  reset: () => void;
  onSent: (bytes: number) => void;
}

/** Sends a body, or as much of it as the fault lets through. */
export async function sendBody(response: ServerResponse, options: BodyToSend): Promise<void> {
  response.flushHeaders();
  if (!(await sendPieces(response, options))) return;
  const { cutAfterBytes, resetAfterBytes, stallAfterBytes, garbage } = options.fault;
  if (garbage) await write(response, garbage);
  if (stallAfterBytes !== undefined) return;
  if (resetAfterBytes !== undefined) options.reset();
  // What was written must go out first, or the cut would be at another byte.
  else if (cutAfterBytes !== undefined) response.socket?.end();
  else response.end();
}

/** Sends pieces as they are, one after the other, and the last again and again until nobody listens. */
export async function sendRaw(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (let index = 0; !socket.destroyed; index = Math.min(index + 1, pieces.length - 1)) {
    socket.write(pieces[index] ?? '');
    await sleep(pieceMs);
  }
}

/** Gives false when the client doesn't listen any more. */
async function sendPieces(response: ServerResponse, { body, fault, onSent }: BodyToSend): Promise<boolean> {
  const { cutAfterBytes, resetAfterBytes, stallAfterBytes, pause, bytesPerSecond = Infinity } = fault;
  const end = Math.min(cutAfterBytes ?? resetAfterBytes ?? stallAfterBytes ?? body.length, body.length);
  const mostBytes = Math.max(1, Math.min(pieceBytes, Math.ceil((bytesPerSecond * pieceMs) / 1000)));
  const startMs = performance.now();
  for (let sent = 0; sent < end; sent += mostBytes) {
    const aheadMs = startMs + (sent / bytesPerSecond) * 1000 - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    if (pause && sent >= pause.afterBytes) await pause.until;
    const piece = body.subarray(sent, Math.min(sent + mostBytes, end));
    if (!(await write(response, piece))) return false;
    onSent(piece.length);
  }
  return true;
}

async function write(response: ServerResponse, piece: Buffer): Promise<boolean> {
  if (response.destroyed) return false;
  return new Promise((resolve) => {
    const onClose = () => resolve(false);
    response.once('close', onClose);
    response.write(piece, (error) => {
      response.off('close', onClose);
      resolve(!error);
    });
  });
}
