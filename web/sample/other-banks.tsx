import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileQuestion, Landmark, ReceiptText, Undo2 } from 'lucide-react'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { billerAsks, billerCollects, otherBanksQuery, payoutComesBack } from '#web/sample/other-banks-queries.ts'
import { useShowAction } from '#web/sample/show-action.ts'
import { PayIn } from '#web/sample/pay-in.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** Simulates payers at other banks, billers, and the customer's own other banks. */
export function SimulatedOtherBanks() {
  return (
    <>
      <PayIn />
      <Billers />
      <OtherBanks />
    </>
  )
}

function Billers() {
  const { t } = useLingui()
  const show = useShowAction(paths.paymentMethods)
  const mandateRequest = useSubmission({
    send: (_: 'mandate', key) => billerAsks(key),
    loading: () => t`Waiting for a biller…`,
    success: ({ billerName }) => ({ message: t`${billerName} requested a direct debit`, action: show }),
  })
  const collect = useSubmission({
    send: (_: 'debit', key) => billerCollects(key),
    loading: () => t`Waiting for a biller…`,
    success: ({ billerName, amountMinor, asset, status, dueOn }) => {
      const amount = money(amountMinor, asset)
      if (status === 'collected') return { message: t`${billerName} collected ${amount}`, action: show }
      if (status === 'unpaid') return { message: t`${billerName} couldn't collect ${amount}`, action: show }
      const day = shortDay(dueOn, null)
      return { message: t`${billerName} will collect ${amount} on ${day}`, action: show }
    },
  })
  return (
    <Section title={t`Billers`}>
      <Card className="divide-y divide-line">
        <ButtonRow
          icon={FileQuestion}
          title={t`Receive a Direct Debit Request`}
          description={t`A biller asks to collect from your account`}
          busy={mandateRequest.busy}
          onClick={() => void mandateRequest.submit('mandate')}
        />
        <ButtonRow
          icon={ReceiptText}
          tint="orange"
          title={t`Collect a Bill`}
          description={t`A biller with a direct debit collects today`}
          busy={collect.busy}
          onClick={() => void collect.submit('debit')}
        />
      </Card>
    </Section>
  )
}

function OtherBanks() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(otherBanksQuery)
  const send = useSubmission({
    send: (_: 'return', key) => payoutComesBack(key),
    loading: () => t`Waiting for your other bank…`,
    success: ({ name, amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return {
        message: t({
          message: `${name} sent back ${amount}`,
          comment: '{name} is another bank, {amount} an amount of money',
        }),
      }
    },
  })
  return (
    <Section title={t`What Your Other Bank Shows`}>
      <Card className="divide-y divide-line">
        {error && !data && <LoadFailure error={error} refetch={refetch} />}
        {!data && !error && <RowSkeletons count={1} />}
        {data?.arrivals.length === 0 && (
          <p className="px-4 py-5 text-[0.9375rem] text-pretty text-ink-soft">
            <Trans>
              Nothing has arrived there yet. Link an account under Payment Methods, and you'll see its two deposits
              here.
            </Trans>
          </p>
        )}
        {data?.arrivals.map(({ id, name, lastFour, kind, amountMinor, asset }) => (
          <Row
            key={id}
            icon={Landmark}
            tint="plain"
            title={<span className="break-words">{name}</span>}
            description={
              <>
                {kind === 'deposit' ? (
                  <Trans>Deposit from Alder</Trans>
                ) : (
                  <Trans comment="Money that the customer has moved to another bank">Your money from Alder</Trans>
                )}
                {lastFour && (
                  <bdi dir="ltr" className="tabular">
                    {' '}
                    · •••• {lastFour}
                  </bdi>
                )}
              </>
            }
            trailing={<Money amountMinor={amountMinor} asset={asset} sign="always" className="font-medium" />}
          />
        ))}
        <ButtonRow
          icon={Undo2}
          directed
          title={t`Send a Withdrawal Back`}
          description={t`Your other bank returns the last money you moved out`}
          busy={send.busy}
          onClick={() => void send.submit('return')}
        />
      </Card>
    </Section>
  )
}
