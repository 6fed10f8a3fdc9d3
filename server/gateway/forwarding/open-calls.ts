import type { ServerResponse } from 'node:http';
import type { Failure } from '../../lib/failure.ts';
import type { Call } from './call.ts';

/** A call whose response is not complete, as a link of the list of open calls. */
export abstract class OpenCall {
  readonly call: Call;
  readonly res: ServerResponse;
  before: OpenCall | undefined = undefined;
  after: OpenCall | undefined = undefined;

  constructor(call: Call, res: ServerResponse) {
    this.call = call;
    this.res = res;
  }

  /** Ends the call with this failure, at shutdown. */
  abstract cut(failure: Failure): void;
}

/** The open calls of this node, as a linked list: a Map would allocate memory for every call. */
export class OpenCalls {
  #last: OpenCall | undefined;

  /** Whether more than one call is open. */
  get areMany(): boolean {
    return this.#last?.before !== undefined;
  }

  add(call: OpenCall): void {
    call.before = this.#last;
    if (this.#last) this.#last.after = call;
    this.#last = call;
  }

  remove(call: OpenCall): void {
    if (call.before) call.before.after = call.after;
    if (call.after) call.after.before = call.before;
    else if (this.#last === call) this.#last = call.before;
    call.before = undefined;
    call.after = undefined;
  }

  list(): OpenCall[] {
    const all: OpenCall[] = [];
    for (let call = this.#last; call; call = call.before) all.push(call);
    return all;
  }
}
