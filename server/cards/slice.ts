import { cardStory } from '#server/cards/story.ts'
import { cardsOf } from '#server/cards/service.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Payment cards. */
export const cards = defineSlice({
  name: 'cards',
  exportOf: (deps, { customerId }) => ({
    cards: async () =>
      (await cardsOf(deps, customerId)).map(({ type, name, lastFour, expiresOn, isVirtual, isPrimary }) => ({
        type,
        name,
        number: `•••• ${lastFour}`,
        expiresOn,
        isVirtual,
        isPrimary,
      })),
  }),
  story: cardStory,
})
