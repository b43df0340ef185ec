import { spawn } from 'node:child_process';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Makes an address swallow connections without an answer, as a network does that drops packets: a process that is
 * stopped listens there, and its queue is full. Gives the way to end it.
 */
export async function openBlackHole(host: string, port: number): Promise<() => void> {
  const listen = `require('net').createServer().listen(${JSON.stringify({ host, port, backlog: 1 })}, () => console.log())`;
  const listener = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => listener.stdout.once('data', resolve));
  listener.kill('SIGSTOP');
  const waiting: net.Socket[] = [];
  for (let isFull = false; !isFull && waiting.length < 50;) {
    const socket = net.connect({ host, port }).on('error', () => undefined);
    waiting.push(socket);
    const isConnected = new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true)));
    isFull = !(await Promise.race([isConnected, sleep(500, false)]));
  }
  return () => {
    for (const socket of waiting) socket.destroy();
    listener.kill('SIGKILL');
  };
}
