import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Mandate } from '#contract/direct-debits.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { MandateRequest } from '#web/payment-methods/mandate-request.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import { RowsSkeleton } from '#web/payment-methods/rows-skeleton.tsx'
import type { OpenPaymentMethodSheet } from '#web/payment-methods/open-sheet.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

/** Lists the billers that may collect from the account, and those that ask for permission. */
export function DirectDebits({ onOpen }: { onOpen: (opened: OpenPaymentMethodSheet) => void }) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(mandatesQuery)
  const requests = data?.mandates.filter(({ status }) => status === 'requested') ?? []
  const answeredMandates = data?.mandates.filter(({ status }) => status !== 'requested')
  return (
    <Section title={t`Direct Debits`}>
      {requests.length > 0 && (
        <ul className="mb-3 flex flex-col gap-3">
          {requests.map((mandate) => (
            <li key={mandate.id}>
              <MandateRequest mandate={mandate} />
            </li>
          ))}
        </ul>
      )}
      <Card>
        {error && !data && <LoadFailure error={error} refetch={refetch} />}
        {!data && !error && <Loading label={t`Loading your direct debits`} />}
        {!data && !error && <RowsSkeleton count={2} shape="account" />}
        {answeredMandates?.length === 0 && (
          <p className="px-4 py-5 text-[0.9375rem] text-pretty text-ink-soft">
            <Trans>
              You don't have any direct debits yet. When a company asks to collect from your account, you can approve or
              decline the request here.
            </Trans>
          </p>
        )}
        {answeredMandates && (
          <Rows of={answeredMandates}>
            {(mandate) => (
              <ButtonRow
                picture={
                  <MerchantMark
                    name={mandate.billerName}
                    {...(mandate.status !== 'active' && { className: 'grayscale opacity-70' })}
                  />
                }
                title={<span className="break-words">{mandate.billerName}</span>}
                description={<Next mandate={mandate} />}
                opens
                onClick={() => onOpen({ what: 'mandate', id: mandate.id })}
              />
            )}
          </Rows>
        )}
      </Card>
    </Section>
  )
}

/** Shows the next direct debit of a mandate. */
function Next({ mandate: { status, upcoming } }: { mandate: Mandate }) {
  const now = useBusinessNow()
  const [next] = upcoming
  if (status === 'cancelled') return <Trans context="direct debit">Canceled</Trans>
  if (!next) return <Trans>Nothing is due</Trans>
  const amount = <Money amountMinor={next.amountMinor} asset={next.asset} className="font-medium text-ink" />
  const day = shortDay(next.dueOn, now)
  return (
    <Trans comment="A biller's next collection. Example: $145.00 on Sep 8">
      {amount} on {day}
    </Trans>
  )
}
