import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Repeat } from 'lucide-react'
import type { InvestmentPlan, Investments } from '#contract/investing.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { EVERY_TEXTS } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { Button } from '#web/ui/button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type PlansProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** What is invested again and again. */
export function Plans({ data, onOpen }: PlansProps) {
  const { t } = useLingui()
  return (
    <Section
      title={t`Recurring Investments`}
      action={
        <Button
          size="small"
          variant="quiet"
          className="-mx-3 !px-3"
          disabled={!data}
          aria-haspopup="dialog"
          icon={<Plus aria-hidden className="size-5" strokeWidth={2.2} />}
          onClick={() => onOpen({ kind: 'new_plan', fund: 'FUND_BALANCED' })}
        >
          <Trans>Invest Regularly</Trans>
        </Button>
      }
    >
      {!data ? (
        <Card>
          <RowSkeletons count={1} />
        </Card>
      ) : data.plans.length === 0 ? (
        <Card className="p-5 text-center text-sm text-pretty text-ink-soft">
          <Trans>Invest the same amount automatically, every week or month.</Trans>
        </Card>
      ) : (
        <Card>
          <Rows of={data.plans}>
            {(plan) => (
              <PlanRow plan={plan} today={data.today} onOpen={() => onOpen({ kind: 'plan', planId: plan.id })} />
            )}
          </Rows>
        </Card>
      )}
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
        <Facts
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
