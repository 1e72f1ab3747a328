import { cashbackJob, endCashback, takeCashbackBackJob } from '#server/cards/cashback.ts'
import { cardMoveDetail } from '#server/cards/virtual-card-transfers.ts'
import { renewCardsJob } from '#server/cards/renewal.ts'
import { removeUsedCardsJob } from '#server/cards/remove.ts'
import { cardRoutes } from '#server/cards/routes.ts'
import { cardSampleHistory } from '#server/cards/sample-history.ts'
import { everyCardOf } from '#server/cards/card.ts'
import { numberDigest, cardNumberSealName } from '#server/cards/numbers.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Payment cards. */
export const cards = defineSlice({
  name: 'cards',
  routes: () => cardRoutes,
  jobs: [cashbackJob, takeCashbackBackJob, removeUsedCardsJob, renewCardsJob],
  liveEvents: ['card'],
  securityEvents: ['card_issued', 'card_details_shown', 'card_frozen', 'card_unfrozen', 'card_changed', 'card_removed'],
  exportOf: (deps, { customerId }) => ({
    cards: async () =>
      (await everyCardOf(deps, customerId)).map(
        ({ type, kind, status, name, look, lastFour, expiresOn, removedAt }) => ({
          type,
          kind,
          status,
          name,
          look,
          number: `•••• ${lastFour}`,
          expiresOn,
          removedAt,
        }),
      ),
  }),
  sealed: [
    {
      table: 'bank.card',
      key: 'id',
      column: 'number_sealed',
      nameOf: (row) => cardNumberSealName(row['id'] ?? ''),
      alsoOf: (config, number) => ({ number_digest: numberDigest({ config }, number.toString()) }),
    },
  ],
  closeCustomer: async (trx, customerId) => {
    await trx
      .updateTable('bank.card')
      .set((eb) => ({
        status: 'removed',
        removed_at: eb.selectFrom('bank.customer').select('closed_at').where('id', '=', customerId),
      }))
      .where('customer_id', '=', customerId)
      .where('status', '<>', 'removed')
      .execute()
    await endCashback(trx, customerId)
  },
  spareMoney: async (trx, customerId) =>
    (await everyCardOf({ db: trx }, customerId)).flatMap(({ ownAccountId, name }) =>
      ownAccountId === null ? [] : [{ accountId: ownAccountId, detail: cardMoveDetail({ name }) }],
    ),
  sampleHistory: cardSampleHistory,
})
