import { CARD_SWITCHES } from '#contract/card-terms.ts'
import type { CardSettings } from '#contract/cards.ts'
import { Refusal } from '#contract/errors.ts'
import { findCard } from '#server/cards/card.ts'
import { limitsOf } from '#server/cards/limits.ts'
import { type CardOwner, lockOwnCard, recordChange, checkOwnCard } from '#server/cards/own-card.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Policy } from '#server/bank/policy.ts'

/** Throws Refusal `card_limit_too_high`, naming the field, for a limit above the bank's own. */
function checkLimits(
  { cards }: Policy,
  { paymentLimitMinor = 0, monthLimitMinor = 0 }: Pick<CardSettings, 'paymentLimitMinor' | 'monthLimitMinor'>,
): void {
  if (paymentLimitMinor > cards.paymentMinor) throw new Refusal('card_limit_too_high', 'paymentLimitMinor')
  if (monthLimitMinor > cards.monthMinor) throw new Refusal('card_limit_too_high', 'monthLimitMinor')
}

/**
 * Whether the change raises a limit of the card or switches a use on. Such a change requires a fresh proof, because a session
 * alone may be stolen. Throws Refusal `not_found` and `card_removed`.
 */
export async function loosensLimits(
  deps: Pick<Deps, 'db' | 'policy'>,
  customerId: string,
  cardId: string,
  settings: CardSettings,
): Promise<boolean> {
  const card = checkOwnCard(await findCard(deps, customerId, cardId), customerId)
  const now = limitsOf(deps.policy, card)
  return (
    (settings.paymentLimitMinor ?? 0) > now.paymentMinor ||
    (settings.monthLimitMinor ?? 0) > now.monthMinor ||
    CARD_SWITCHES.some((name) => settings[name] === true && !card[name])
  )
}

/**
 * Changes the given settings of a card, with effect from the next authorization. Settings that are not given stay. Throws
 * Refusal `not_found` (also for a change of the main card's name or look), `card_removed` and `card_limit_too_high`.
 */
export async function changeSettings(
  deps: Pick<Deps, 'db' | 'clock' | 'events' | 'policy'>,
  holder: CardOwner,
  cardId: string,
  settings: CardSettings,
): Promise<void> {
  checkLimits(deps.policy, settings)
  await inTransaction(deps.db, async (trx) => {
    const { kind } = await lockOwnCard(trx, holder.customer.id, cardId)
    const { paymentLimitMinor, monthLimitMinor, look, ...otherSettings } = settings
    if (kind === 'main' && (look || otherSettings.name !== undefined)) throw new Refusal('not_found')
    const changedColumns = {
      ...otherSettings,
      ...look,
      ...(paymentLimitMinor === undefined ? {} : { payment_limit_minor: paymentLimitMinor }),
      ...(monthLimitMinor === undefined ? {} : { month_limit_minor: monthLimitMinor }),
    }
    if (Object.keys(changedColumns).length === 0) return
    await trx.updateTable('bank.card').set(changedColumns).where('id', '=', cardId).execute()
    await recordChange(deps, trx, holder, 'card_changed')
  })
}
