import { Trans, useLingui } from '@lingui/react/macro'
import { Globe, Percent } from 'lucide-react'
import { CASHBACK_PERCENT } from '#contract/card-terms.ts'
import type { CardList } from '#contract/cards.ts'
import { percentage } from '#web/i18n/formats.ts'
import { Money } from '#web/ui/money.tsx'
import { Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the benefits of cards. `cashback` is this month's cashback, undefined until it loads. */
export function Benefits({ cashback }: { cashback: CardList['cashback'] | undefined }) {
  const { t } = useLingui()
  const percent = percentage(CASHBACK_PERCENT)
  const earned = cashback && (
    <Money amountMinor={cashback.thisMonthMinor} asset={cashback.asset} className="font-semibold text-success" />
  )
  return (
    <Section title={t`Card Benefits`}>
      <Card className="divide-y divide-line">
        <Row
          icon={Percent}
          title={t({ message: `${percent} cashback`, comment: 'Cashback on card payments' })}
          description={
            <>
              <Trans>On every card payment, paid each month</Trans>
              <span className="block">
                {earned ? (
                  <Trans comment="{earned} is an amount of cashback">{earned} earned this month</Trans>
                ) : (
                  <Skeleton line className="w-32" />
                )}
              </span>
            </>
          }
        />
        <Row
          icon={Globe}
          title={t`No foreign transaction fees`}
          description={t`Pay abroad with nothing added to the price`}
        />
      </Card>
    </Section>
  )
}
