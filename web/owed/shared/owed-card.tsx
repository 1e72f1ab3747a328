import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import type { Debt } from '#contract/owed.ts'
import { paths } from '#web/lib/paths.ts'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { LinkRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/**
 * Shows the customer's debts to the bank, each with its reason; shows nothing if there are none. `owed` is undefined in a
 * dashboard that an older version cached.
 */
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
          <Trans>We'll take it from the next money that comes in, before you can spend any of it.</Trans>
        </p>
      </Card>
    </Section>
  )

  function nameOf({ cause, name }: Debt): string {
    if (cause === 'top_up_returned') return t`Returned deposit`
    return cause === 'cashback' ? t`Cashback` : name
  }
}

function Why({ cause }: Pick<Debt, 'cause'>) {
  switch (cause) {
    case 'card_payment':
      return <Trans>The merchant charged more than you had</Trans>
    case 'top_up_returned':
    case 'transfer_recalled':
      return <Trans>You had already spent it</Trans>
    case 'dispute':
      return <Trans>The credit for your dispute was already spent</Trans>
    case 'cashback':
      return <Trans>The payments that earned it were refunded</Trans>
  }
}
