/** The breakpoint planner, for every format whose requests can be marked. */
export { claudePlanRules, rankOf, ttlOf } from './claude.ts'
export { conversationCandidates } from './conversation.ts'
export type { Extent, HeadPart, MeasuredConversation } from './conversation.ts'
export { planBreakpoints } from './plan.ts'
export type { Candidate, LifetimeRank, Plan, Planned, PlanRules } from './plan.ts'
