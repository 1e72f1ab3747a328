import { Trans } from '@lingui/react/macro'
import { Clock3 } from 'lucide-react'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/i18n/dates.ts'

type OnItsWayProps = {
  settlesAt: string | null
  /** Whether the money goes to the customer's account at another bank. */
  leaves: boolean
}

/** Shows when a transfer from or to another bank will arrive. */
export function IncomingTransfer({ settlesAt, leaves }: OnItsWayProps) {
  const now = useBusinessNow()
  const day = settlesAt && longDay(settlesAt, now)
  return (
    <section className="rounded-card bg-warning-subtle p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warning">
        <Clock3 aria-hidden className="size-5" strokeWidth={2} />
        <Trans comment="The money is on its way to the account">On its way</Trans>
      </h2>
      <p className="mt-1 text-[0.9375rem] text-pretty">{leaves ? <Leaves day={day} /> : <Arrives day={day} />}</p>
    </section>
  )
}

function Arrives({ day }: { day: string | null }) {
  if (day === null)
    return <Trans comment="The money is on its way to the account">You can spend it as soon as it's confirmed.</Trans>
  return (
    <Trans comment={'"It" is money. {day} is a day such as Monday, August 31'}>
      It arrives by {day}. You can spend it from then on.
    </Trans>
  )
}

function Leaves({ day }: { day: string | null }) {
  if (day === null)
    return <Trans comment={'"It" is money on its way to another bank'}>We'll tell you when it arrives.</Trans>
  return (
    <Trans comment="Money on its way to another bank; {day} is a day such as Monday, August 31">
      It arrives by {day}. If your other bank sends it back, we'll tell you.
    </Trans>
  )
}
