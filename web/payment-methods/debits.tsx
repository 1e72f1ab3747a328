import { Trans, useLingui } from '@lingui/react/macro'
import type { DirectDebit } from '#contract/direct-debits.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { Dot } from '#web/ui/inline-facts.tsx'
import { Money } from '#web/ui/money.tsx'

type DebitsProps = { title: string; debits: readonly DirectDebit[]; onClaim?: (debit: DirectDebit) => void }

/** Lists the direct debits of a mandate. Those that can be reclaimed have a button. */
export function Debits({ title, debits, onClaim }: DebitsProps) {
  return (
    <section>
      <h3 className="px-1 pb-2 font-semibold">{title}</h3>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4 shadow-card">
        {debits.map((debit) => (
          <li key={debit.id} className="flex min-h-14 flex-wrap items-center gap-x-3 py-2">
            <Debit debit={debit} {...(onClaim && debit.claimableUntil && { onClaim: () => onClaim(debit) })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Debit({ debit, onClaim }: { debit: DirectDebit; onClaim?: () => void }) {
  const { t } = useLingui()
  const now = useBusinessNow()
  const { amountMinor, asset, dueOn } = debit
  const day = shortDay(dueOn, now)
  const amount = money(amountMinor, asset)
  return (
    <>
      <span className="min-w-0 flex-1 basis-24">
        <span className="block font-medium">
          <Money amountMinor={amountMinor} asset={asset} />
        </span>
        <span className="block text-sm text-ink-soft">
          {day}
          <Outcome debit={debit} />
        </span>
      </span>
      {onClaim && (
        <Button
          variant="quiet"
          size="small"
          onClick={onClaim}
          aria-label={t({
            message: `Claim Back ${amount}, ${day}`,
            comment: 'Claims back a direct debit. {day} is the day of the debit',
          })}
          className="ms-auto -me-2"
        >
          <Trans>Claim Back</Trans>
        </Button>
      )}
    </>
  )
}

/** Shows the outcome of a direct debit, unless it was simply announced or collected. */
function Outcome({ debit: { status } }: { debit: DirectDebit }) {
  if (status === 'announced' || status === 'collected') return null
  return (
    <span className={status === 'unpaid' ? 'text-danger' : undefined}>
      <Dot />
      {status === 'unpaid' && <Trans context="direct debit">Not paid</Trans>}
      {status === 'cancelled' && <Trans context="direct debit">Canceled</Trans>}
      {status === 'claimed_back' && <Trans context="direct debit">Claimed back</Trans>}
    </span>
  )
}
