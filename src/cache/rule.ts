/** What every provider rule carries besides its content. */
export interface Rule {
  /**
   * The day from which this package follows the rule, as `YYYY-MM-DD`. A conversation is lowered by the rules that stood
   * when its epoch began, so a rule that is new, or that takes the place of another, is dated after every rule of the
   * releases before it, even when the provider changed earlier. Rules are superseded, never edited.
   */
  readonly since: string
  /** Where the rule was read. */
  readonly source: string
  /** The provider says so; someone measured or reported it; or it is inferred. */
  readonly confidence: 'official' | 'reported' | 'assumed'
}
