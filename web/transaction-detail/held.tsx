import { Trans } from '@lingui/react/macro'
import { Clock3 } from 'lucide-react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { isByCard } from '#contract/wording.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'
import { nameText } from '#web/i18n/words.ts'

/** Money that is put aside for a payment: until when, and what happens then. */
export function Held({ shown }: { shown: TransactionDetail }) {
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Clock3 aria-hidden className="size-5" strokeWidth={2} />
        <Trans comment="An amount that is put aside for a payment">Held for this payment</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">
        {isByCard(shown.paymentMethod) ? <ByCard shown={shown} /> : <ForOrder />}
      </p>
    </section>
  )
}

function ByCard({ shown }: { shown: TransactionDetail }) {
  const now = useBusinessNow()
  const name = nameText(shown.name)
  if (shown.heldUntil === null)
    return (
      <Trans comment="{name} is a shop">
        {name} hasn't taken the money yet. If they don't, you can spend it again.
      </Trans>
    )
  const day = longDay(shown.heldUntil, now)
  return (
    <Trans comment="{name} is a shop; {day} is a day such as Monday, August 31">
      {name} can take the money until {day}. If they don't, it's yours to spend again.
    </Trans>
  )
}

function ForOrder() {
  return (
    <Trans comment="An order to buy funds or coins, for which money is put aside">
      It pays for your order once that is filled. If it isn't, or you cancel it, the money comes back.
    </Trans>
  )
}
