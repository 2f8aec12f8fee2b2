/** What the adapter could not do as asked, as data. */

/** One of our breakpoints: the end of the request, of the baseline, of the last answered request, of the instructions. */
export type BreakpointPlace = 'tail' | 'baseline' | 'anchor' | 'instructions'

/** Why an update is sent as tagged text. */
export type TaggedReason =
  /** The model or platform is known to refuse native system messages. */
  | 'unsupported'
  /** No rule knows the model on this platform. */
  | 'unknown'
  /** The session was told that this model refused one. */
  | 'refused'
  /** No user message stands between two answers, and a native one may only follow one. */
  | 'placement'

/** A degradation of one request. */
export type AnthropicWarning =
  /** The caller's own breakpoints left no room for this one. */
  | { readonly type: 'breakpoint-dropped'; readonly place: BreakpointPlace }
  /** An earlier breakpoint is kept 5 minutes, so this one may not be kept for an hour. */
  | { readonly type: 'ttl-lowered'; readonly place: BreakpointPlace }
  /** The caller's automatic breakpoint at the end is kept an hour, so this one has to be too; it costs nothing more. */
  | { readonly type: 'ttl-raised'; readonly place: BreakpointPlace }
  /** So many updates with the system's authority are sent as tagged text. */
  | { readonly type: 'updates-tagged'; readonly reason: TaggedReason; readonly count: number }
  /** So many thinking blocks of earlier epochs are left out, because the model binds them to a prefix that is gone. */
  | { readonly type: 'thinking-detached'; readonly count: number }
  /** The request ends with an answer: nobody has said anything since, and the model is asked to go on with it. */
  | { readonly type: 'nothing-to-answer' }
  /** So many blank texts are left out, or stood in for in an answer that is empty without: the API refuses them. */
  | { readonly type: 'blank-text'; readonly count: number }
