import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAppError } from '#shared/errors/app-error.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import type { Pipe } from '#shared/rpc/pipe.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import { maxMessageLength } from '#shared/rpc/wire-message.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { createSampleHandlers, sampleContract, type SampleRecord } from './sample-contract.ts';

/** A client's end of a pipe whose other end a router serves. */
export interface OpenedPipe {
  client: Pipe;
  /** Ends the other side, as a crash would. */
  breakOff(): void | Promise<void>;
  /** Frees what the pipe runs on. */
  release?(): void | Promise<void>;
}

/** The suite that every kind of pipe has to pass. */
export function describePipe(name: string, open: (router: Router) => OpenedPipe | Promise<OpenedPipe>): void {
  describe(`the contract over ${name}`, () => {
    let record: SampleRecord;
    let errors: [path: string, code: string][];
    let opened: OpenedPipe;
    let client: Client<typeof sampleContract>;
    let closed: number;

    beforeEach(async () => {
      record = { waiting: 0, aborted: 0, counters: new Set() };
      errors = [];
      const router = createRouter(sampleContract, createSampleHandlers(record), {
        isValidating: true,
        onError: (path, { code }) => errors.push([path, code]),
      });
      opened = await open(router);
      closed = 0;
      opened.client.onClose(() => closed++);
      client = createClient(sampleContract, opened.client, { isValidating: true });
    });
    afterEach(async () => {
      opened.client.close();
      await opened.release?.();
    });

    it('answers a call, and many at once, each to whom it belongs', async () => {
      await expect(client.math.double({ number: 21 })).resolves.toEqual({ number: 42 });
      const answers = await Promise.all([1, 2, 3, 4, 5].map((number) => client.math.double({ number })));
      expect(answers).toEqual([2, 4, 6, 8, 10].map((number) => ({ number })));
    });

    it('brings a declared error whole: code, message, details', async () => {
      const error = await client.math.fail({ code: 'declared' }).catch((thrown: unknown) => thrown);
      expect(isAppError(error, 'stac.item-not-found')).toBe(true);
      expect(error).toMatchObject({
        message: 'There is no item X',
        details: { item: 'X' },
        retryable: false,
      });
    });

    it('turns an error that the contract does not declare into an internal one, and tells its own log', async () => {
      await expect(client.math.fail({ code: 'undeclared' })).rejects.toMatchObject({ code: 'internal' });
      await expect(client.math.fail({ code: 'bug' })).rejects.toMatchObject({ code: 'internal' });
      expect(errors).toEqual([
        ['math.fail', 'transfer.disk-full'],
        ['math.fail', 'internal'],
      ]);
    });

    it('refuses an input that breaks the contract, naming the field', async () => {
      const wrong = { number: 'x' } as unknown as { number: number };
      await expect(client.math.double(wrong)).rejects.toMatchObject({
        code: 'input.invalid',
        details: { field: 'number' },
      });
    });

    it('does not pass on an answer that breaks the contract', async () => {
      await expect(client.math.lie({})).rejects.toMatchObject({ code: 'internal' });
    });

    it('cancels a call on both sides', async () => {
      const abort = new AbortController();
      const call = client.math.wait({}, { signal: abort.signal });
      const outcome = expect(call).rejects.toMatchObject({ code: 'cancelled' });
      await eventually(() => expect(record.waiting).toBe(1));
      abort.abort();
      await outcome;
      await eventually(() => expect(record.aborted).toBe(1));
      await expect(client.math.double({ number: 1 })).resolves.toEqual({ number: 2 });
    });

    it('does not even send a call that is cancelled already', async () => {
      await expect(client.math.wait({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: 'cancelled',
      });
      await client.math.double({ number: 1 });
      expect(record.waiting).toBe(0);
    });

    it('streams a snapshot and then the changes, until told to stop', async () => {
      const seen: number[] = [];
      const numbers: number[] = [];
      const onEvent = ({ count }: { count: number }, sequence: number): void => {
        seen.push(count);
        numbers.push(sequence);
      };
      const stop = client.math.count({ from: 7 }, { onEvent });
      await eventually(() => expect(seen).toEqual([7]));
      for (const counter of record.counters) [8, 9].forEach(counter);
      await eventually(() => expect(seen).toEqual([7, 8, 9]));
      stop();
      await eventually(() => expect(record.counters.size).toBe(0));
      await client.math.double({ number: 1 });
      expect(seen).toEqual([7, 8, 9]);
      expect(numbers).toEqual([0, 1, 2]);
    });

    it('ends a stream whose event breaks the contract, and only that one', async () => {
      const onError = vi.fn();
      client.math.count({ from: 1 }, { onEvent: () => undefined, onError });
      await eventually(() => expect(record.counters.size).toBe(1));
      for (const counter of record.counters) counter('two' as unknown as number);
      await eventually(() => expect(onError).toHaveBeenCalledOnce());
      expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'internal' });
      expect(record.counters.size).toBe(0);
      await expect(client.math.double({ number: 1 })).resolves.toEqual({ number: 2 });
    });

    it('ends every call and stream when the other side breaks off', async () => {
      const call = expect(client.math.wait({})).rejects.toMatchObject({
        code: 'network.offline',
        retryable: true,
      });
      const onError = vi.fn();
      const onEvent = vi.fn();
      client.math.count({ from: 1 }, { onEvent, onError });
      await eventually(() => expect(onEvent).toHaveBeenCalled());
      await opened.breakOff();
      await call;
      expect(onError).toHaveBeenCalledOnce();
      expect(closed).toBe(1);
      await expect(client.math.double({ number: 1 })).rejects.toMatchObject({ code: 'network.offline' });
    });

    it('aborts what runs for a client that leaves', async () => {
      client.math.wait({}).catch(() => undefined);
      client.math.count({ from: 1 }, { onEvent: () => undefined });
      await eventually(() => expect([record.waiting, record.counters.size]).toEqual([1, 1]));
      opened.client.close();
      await eventually(() => expect([record.aborted, record.counters.size]).toEqual([1, 0]));
    });

    it.each([
      ['what is no JSON', 'hello'],
      ['JSON of another form', '{"type":"request"}'],
      ['an unknown type', '{"type":"evaluate","id":1}'],
      ['a null', 'null'],
    ])('hangs up on %s', async (_name, text) => {
      opened.client.send(text);
      await eventually(() => expect(closed).toBe(1));
    });

    it('hangs up on a message that is too long', async () => {
      opened.client.send(
        JSON.stringify({ type: 'hello', version: 1, padding: 'x'.repeat(maxMessageLength) }),
      );
      await eventually(() => expect(closed).toBe(1));
    });

    it('hangs up on a second request with the number of a running one', async () => {
      const request = JSON.stringify({ type: 'request', id: 77, path: 'math.wait', input: {} });
      opened.client.send(request);
      opened.client.send(request);
      await eventually(() => expect(closed).toBe(1));
    });

    it('refuses a call that does not exist, also by names that every object has', async () => {
      for (const path of ['math.triple', 'math.constructor', '__proto__.toString']) {
        const received = receiveNext(opened.client);
        opened.client.send(JSON.stringify({ type: 'request', id: 900, path, input: {} }));
        expect(await received).toMatchObject({ type: 'error', id: 900, error: { code: 'input.invalid' } });
      }
    });
  });
}

function receiveNext(pipe: Pipe): Promise<unknown> {
  return new Promise((resolve) => {
    pipe.onMessage((text) => {
      const message = JSON.parse(text) as { type: string };
      if (message.type !== 'hello') resolve(message);
    });
  });
}
