import { cardStory } from '#server/cards/story.ts'
import { cardsOf } from '#server/cards/card.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Payment cards. */
export const cards = defineSlice({
  name: 'cards',
  exportOf: (deps, { customerId }) => ({
    cards: async () =>
      (await cardsOf(deps, customerId)).map(({ type, kind, status, name, lastFour, expiresOn }) => ({
        type,
        kind,
        status,
        name,
        number: `•••• ${lastFour}`,
        expiresOn,
      })),
  }),
  story: cardStory,
})
