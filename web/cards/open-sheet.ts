/** An action on one card. */
export type CardAction = 'details' | 'settings' | 'look' | 'move' | 'activity' | 'remove'

/** The open sheet: for one card, for a new card, or for the cards that have ended. */
export type OpenCardSheet = { action: 'create' | 'past' } | { action: CardAction; id: string }
