/** Waiting for what threads, sockets and files do, in a test whose own time stands still until it is moved. */
import { setTimeout as pause } from 'node:timers/promises';

/** Most of what a test waits for is there by then. */
const QUICK_TURNS = 20;
/**
 * How long each later turn rests. A turn without a rest keeps a core busy that the thread it waits for could have: of
 * 73,000 turns in the tests of four screens, 51 changed the page.
 */
const REST_MS = 2;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moves simulated time by so many milliseconds. */
type Pass = (ms: number) => unknown;

/** One turn of the event loop, the first being number 0, in which simulated time moves by 1 or 2 ms. */
export async function takeTurn(turn: number, pass: Pass = () => {}): Promise<void> {
  const rests = turn >= QUICK_TURNS;
  await pass(rests ? REST_MS : 1);
  await (rests ? pause(REST_MS) : nextTurn());
}

/** Takes turns until it is over. */
export async function turnUntil(isOver: () => boolean, pass?: Pass): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) await takeTurn(turn, pass);
}

/** What the work gives, after the turns that it took. */
export async function turnUntilDone<T>(work: Promise<T>, pass?: Pass): Promise<T> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  ended.catch(() => {});
  await turnUntil(() => isDone, pass);
  return ended;
}
