import { t } from '@lingui/core/macro'
import type { Investments } from '#contract/investing.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { SuitabilityGate } from '#web/investing/sheets/suitability-gate.tsx'
import { FundDetails } from '#web/investing/sheets/fund-details.tsx'
import { Invest } from '#web/investing/sheets/invest.tsx'
import { ManagePlan } from '#web/investing/sheets/manage-plan.tsx'
import { NewPlan } from '#web/investing/sheets/new-plan.tsx'
import { OrderDetails } from '#web/investing/sheets/order-details.tsx'
import { Returns } from '#web/investing/sheets/returns.tsx'
import { Sell } from '#web/investing/sheets/sell.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { defineSheets } from '#web/ui/define-sheets.tsx'

export const InvestingSheets = defineSheets<InvestingSheet, Investments>({
  invest: ({ fund }, data, { close }) => {
    const fundName = fundText(fund)
    return {
      title: t`Invest in ${fundName}`,
      description: t`From your account, at the next price`,
      content: (
        <SuitabilityGate data={data}>
          <Invest data={data} fund={fund} onDone={close} />
        </SuitabilityGate>
      ),
    }
  },
  new_plan: ({ fund }, data, { close }) => ({
    title: t`Invest regularly`,
    description: t`The same amount automatically, every week or month`,
    content: (
      <SuitabilityGate data={data}>
        <NewPlan data={data} fund={fund} onDone={close} />
      </SuitabilityGate>
    ),
  }),
  fund: ({ fund }, data, { show }) => ({
    title: fundText(fund),
    description: t`About this fund and your holding`,
    content: <FundDetails data={data} fund={fund} onShow={show} />,
  }),
  returns: (_, data) => ({
    title: t`Performance`,
    description: t`Your gains and returns`,
    content: <Returns data={data} />,
  }),
  sell: ({ fund }, data, { close }) => {
    const fundName = fundText(fund)
    return {
      title: t`Sell ${fundName}`,
      description: t`To your account, at the next price`,
      content: <Sell data={data} fund={fund} onDone={close} />,
    }
  },
  order: ({ order }, _, { close }) => ({
    title: t({ message: 'Order', comment: 'An order to buy or sell units of a fund' }),
    description: t`Your orders and their status`,
    content: <OrderDetails order={order} onDone={close} />,
  }),
  plan: ({ planId }, data, { close }) => ({
    title: t`Recurring investment`,
    description: t`Its fund, amount and dates`,
    content: <ManagePlan data={data} planId={planId} onDone={close} />,
  }),
})
