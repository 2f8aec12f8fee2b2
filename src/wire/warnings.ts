/** What an adapter could not do as asked, as data. */

/**
 * One of our breakpoints: the end of the request, of the baseline, of the last answered request, of the instructions, of the
 * frozen tools, of an update that no later message covers.
 */
export type BreakpointPlace = 'tail' | 'baseline' | 'anchor' | 'instructions' | 'tools' | 'update'

/** Why something is not sent in the provider's own way. */
export type FallbackReason =
  /** The model or platform is known to refuse it, or has no such thing. */
  | 'unsupported'
  /** No rule knows the model on this platform. */
  | 'unknown'
  /** The session was told that this model refused it. */
  | 'refused'
  /** There is no legal place for it where it came. */
  | 'placement'
  /** The caller asked for that. */
  | 'asked'

/** A degradation of one request. */
export type LoweringWarning =
  /** The caller's own breakpoints left no room for this one. */
  | { readonly type: 'breakpoint-dropped'; readonly place: BreakpointPlace }
  /** No breakpoint is placed, because nothing says that the model takes them; the caller can say so. */
  | { readonly type: 'breakpoints-left-out'; readonly reason: FallbackReason }
  /** An earlier breakpoint is kept for a shorter time, so this one may not be kept longer. */
  | { readonly type: 'ttl-lowered'; readonly place: BreakpointPlace }
  /** A later breakpoint of the caller's is kept longer, so this one has to be too; it costs nothing more. */
  | { readonly type: 'ttl-raised'; readonly place: BreakpointPlace }
  /** So many updates with the system's authority are sent as tagged text. */
  | { readonly type: 'updates-tagged'; readonly reason: FallbackReason; readonly count: number }
  /** Tools that were appended to the conversation and cannot be sent to this model before the next epoch. */
  | { readonly type: 'tools-held'; readonly reason: FallbackReason; readonly ids: readonly string[] }
  /** Every frozen tool is deferred: the first that is appended costs one full miss. */
  | { readonly type: 'tools-all-deferred' }
  /** So many thinking blocks of earlier epochs are left out, because the model binds them to a prefix that is gone. */
  | { readonly type: 'thinking-detached'; readonly count: number }
  /** The request ends with an answer: nobody has said anything since, and the model is asked to go on with it. */
  | { readonly type: 'nothing-to-answer' }
  /** So many blank texts are left out, or stood in for in an answer that is empty without: the API refuses them. */
  | { readonly type: 'blank-text'; readonly count: number }
  /** A parameter of the real requests that a request which only fills the cache may not have; the rest is filled. */
  | { readonly type: 'prewarm-without'; readonly parameter: string }
