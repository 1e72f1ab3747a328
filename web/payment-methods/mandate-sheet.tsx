import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DirectDebit, Mandate } from '#contract/direct-debits.ts'
import { money } from '#web/i18n/formats.ts'
import { CancelMandate, ClaimBack } from '#web/payment-methods/confirm-debit.tsx'
import { Debits } from '#web/payment-methods/debits.tsx'
import { Details } from '#web/payment-methods/details.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import type { SheetState } from '#web/payment-methods/opened.ts'
import { Button } from '#web/ui/button.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type View = { of: 'mandate' } | { of: 'cancel' } | { of: 'claim'; debit: DirectDebit }

/** What a biller may collect, will and has, and the ways to stop it or to have it back. */
export function MandateSheet({ id, ...sheet }: SheetState & { id: string }) {
  const { data } = useQuery(mandatesQuery)
  const mandate = data?.mandates.find((one) => one.id === id)
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
    <Sheet {...sheet} title={billerName} description={t`What this biller collects from your account`}>
      <div className="flex flex-col gap-5">
        <Details
          details={[
            { label: t`Reference`, value: <bdi>{reference}</bdi> },
            {
              label: t({ message: 'Limit per Payment', comment: 'The most that a direct debit may be' }),
              value: limitMinor === null ? t({ message: 'None', comment: 'No limit' }) : money(limitMinor, asset),
            },
            ...(status === 'cancelled' ? [{ label: t`Status`, value: t`Cancelled` }] : []),
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
