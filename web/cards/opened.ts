/** What is done with one of the cards. */
export type CardAction = 'details' | 'settings' | 'look' | 'move' | 'activity' | 'remove'

/** What is open above the screen: about one of the cards, a new one, or those that have ended. */
export type Opened = { action: 'create' | 'past' } | { action: CardAction; id: string }
