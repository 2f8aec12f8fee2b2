/**
 * The upstream side of one connection of a client. Each has connections of its own, at most one to an upstream, so that
 * what happens on one side happens on the other: a client that closes its connection closes those behind it, and an idle
 * connection that an upstream gives up is given up here too, before a request is sent into it.
 */
import { Agent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Duplex } from 'node:stream'

/** The connections behind one of a client. */
export class Connection {
  readonly #client: Duplex
  readonly #agents = new Map<string, Agent>()
  readonly #known = new WeakSet<Duplex>()
  readonly #running = new Set<() => void>()

  constructor(client: Duplex) {
    this.#client = client
    client.once('close', () => {
      for (const leave of this.#running) leave()
      for (const agent of this.#agents.values()) agent.destroy()
    })
  }

  /** What requests over `protocol` are sent through. */
  agentFor(protocol: string): Agent {
    const found = this.#agents.get(protocol)
    if (found !== undefined) return found
    // What is set for Node's own requests to get out of this network holds for ours.
    const options: AgentOptions = { keepAlive: true, maxSockets: 1, proxyEnv: process.env }
    const agent = protocol === 'https:' ? new SecureAgent(options) : new Agent(options)
    this.#agents.set(protocol, agent)
    return agent
  }

  /** An exchange begins; `leave` is called when the client closes the connection before {@link end}. */
  begin(leave: () => void): void {
    this.#running.add(leave)
  }

  /** It is over. */
  end(leave: () => void): void {
    this.#running.delete(leave)
  }

  /** `upstream` is one of the connections behind this one. */
  watch(upstream: Duplex): void {
    if (this.#known.has(upstream)) return
    this.#known.add(upstream)
    upstream.once('close', () => {
      if (this.#running.size === 0) this.#client.end()
    })
  }
}
