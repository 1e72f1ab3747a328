import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DirectDebit, Mandate } from '#contract/direct-debits.ts'
import { money } from '#web/i18n/formats.ts'
import { CancelMandate, ClaimBack } from '#web/payment-methods/confirm-debit.tsx'
import { Debits } from '#web/payment-methods/debits.tsx'
import { LabelledFacts } from '#web/payment-methods/details.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/open-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type View = { of: 'mandate' } | { of: 'cancel' } | { of: 'claim'; debit: DirectDebit }

/** Shows a mandate: its limits, its next and past direct debits, and the buttons to cancel the mandate or reclaim money. */
export function MandateSheet({ id, ...sheet }: SheetState & { id: string }) {
  const { data } = useQuery(mandatesQuery)
  const mandate = data?.mandates.find((candidate) => candidate.id === id)
  const [view, setView] = useState<View>({ of: 'mandate' })
  if (!mandate) return null
  const back = () => setView({ of: 'mandate' })
  if (view.of === 'cancel') return <CancelMandate mandate={mandate} open={sheet.open} onBack={back} />
  if (view.of === 'claim') return <ClaimBack mandate={mandate} debit={view.debit} open={sheet.open} onBack={back} />
  return <MandateView mandate={mandate} {...sheet} onView={setView} />
}

type MandateViewProps = SheetState & { mandate: Mandate; onView: (view: View) => void }

function MandateView({ mandate, onView, ...sheet }: MandateViewProps) {
  const { t } = useLingui()
  const { billerName, reference, limitMinor, asset, status, upcoming, past } = mandate
  return (
    <Sheet {...sheet} title={billerName} description={t`The payments this biller collects from your account`}>
      <div className="flex flex-col gap-5">
        <LabelledFacts
          details={[
            { label: t`Reference`, value: <bdi>{reference}</bdi> },
            {
              label: t({ message: 'Limit per Payment', comment: 'The highest amount of one direct debit' }),
              value:
                limitMinor === null ? t({ message: 'None', comment: 'There is no limit' }) : money(limitMinor, asset),
            },
            ...(status === 'cancelled' ? [{ label: t`Status`, value: t`Canceled` }] : []),
          ]}
        />
        {upcoming.length > 0 && <Debits title={t`Upcoming`} debits={upcoming} />}
        {past.length > 0 && (
          <Debits title={t`Past Payments`} debits={past} onClaim={(debit) => onView({ of: 'claim', debit })} />
        )}
        {status === 'active' && (
          <Button variant="secondary" onClick={() => onView({ of: 'cancel' })}>
            <Trans>Cancel Direct Debit</Trans>
          </Button>
        )}
      </div>
    </Sheet>
  )
}
