import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import type { Debt } from '#contract/owed.ts'
import { paths } from '#web/lib/paths.ts'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { LinkRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** What the customer owes the bank, and why; nothing where they owe nothing. A device may have kept figures from before there was any. */
export function OwedCard({ owed }: { owed: Debt[] | undefined }) {
  const { t } = useLingui()
  if (!owed || owed.length === 0) return null
  return (
    <Section title={t`What You Owe Us`}>
      <Card>
        <Rows of={owed}>
          {(debt) => (
            <LinkRow
              to={paths.addMoney}
              icon={CircleAlert}
              tint="orange"
              title={
                <NamedAmount
                  name={nameOf(debt)}
                  amount={<Money amountMinor={debt.leftMinor} asset={debt.asset} fit />}
                />
              }
              description={<Why cause={debt.cause} />}
            />
          )}
        </Rows>
        <p className="border-t border-line px-4 py-3 text-sm text-pretty text-ink-soft">
          <Trans>We'll take it from the next money that comes in. Until then, it can't be spent.</Trans>
        </p>
      </Card>
    </Section>
  )

  function nameOf({ cause, name }: Debt): string {
    if (cause === 'top_up_returned') return t`Returned top-up`
    return cause === 'cashback' ? t`Cashback` : name
  }
}

function Why({ cause }: Pick<Debt, 'cause'>) {
  switch (cause) {
    case 'card_payment':
      return <Trans>The shop charged more than you had</Trans>
    case 'top_up_returned':
    case 'transfer_recalled':
      return <Trans>You had already spent it</Trans>
    case 'dispute':
      return <Trans>The credit for your dispute was already spent</Trans>
    case 'cashback':
      return <Trans>The payments that earned it were returned</Trans>
  }
}
