import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Repeat } from 'lucide-react'
import type { InvestmentPlan, Investments } from '#contract/investing.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { EVERY_TEXTS } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type PlansProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** Lists the recurring investments. */
export function InvestmentPlans({ data, onOpen }: PlansProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Recurring Investments`}>
      <Card className="divide-y divide-line">
        {!data && <RowSkeletons count={1} />}
        {data && data.plans.length > 0 && (
          <Rows of={data.plans}>
            {(plan) => (
              <PlanRow plan={plan} today={data.today} onOpen={() => onOpen({ kind: 'plan', planId: plan.id })} />
            )}
          </Rows>
        )}
        {data && (
          <ButtonRow
            icon={Plus}
            title={t`Invest Regularly`}
            description={t`The same amount automatically, every week or month`}
            opens
            onClick={() => onOpen({ kind: 'new_plan', fund: 'FUND_BALANCED' })}
          />
        )}
      </Card>
    </Section>
  )
}

function PlanRow({ plan, today, onOpen }: { plan: InvestmentPlan; today: string; onOpen: () => void }) {
  const { t } = useLingui()
  const { fund, amountMinor, asset, every, dueOn, status } = plan
  const day = shortDay(dueOn, today)
  return (
    <ButtonRow
      icon={Repeat}
      tint={status === 'active' ? 'primary' : 'plain'}
      title={<NamedAmount name={fundText(fund)} amount={<Money fit amountMinor={amountMinor} asset={asset} />} />}
      description={
        <InlineFacts
          facts={[
            { key: 'every', fact: t(EVERY_TEXTS[every]) },
            {
              key: 'next',
              fact:
                status === 'paused' ? (
                  <Trans context="a recurring investment">Paused</Trans>
                ) : (
                  <Trans comment="{day} is Today or a date">next: {day}</Trans>
                ),
            },
          ]}
        />
      }
      opens
      onClick={onOpen}
    />
  )
}
