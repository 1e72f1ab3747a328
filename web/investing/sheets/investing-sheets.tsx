import { t } from '@lingui/core/macro'
import type { Investments } from '#contract/investing.ts'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { Before } from '#web/investing/sheets/before.tsx'
import { FundDetails } from '#web/investing/sheets/fund-details.tsx'
import { Invest } from '#web/investing/sheets/invest.tsx'
import { ManagePlan } from '#web/investing/sheets/manage-plan.tsx'
import { NewPlan } from '#web/investing/sheets/new-plan.tsx'
import { OrderDetails } from '#web/investing/sheets/order-details.tsx'
import { Returns } from '#web/investing/sheets/returns.tsx'
import { Sell } from '#web/investing/sheets/sell.tsx'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { defineSheets } from '#web/ui/sheets.tsx'

export const InvestingSheets = defineSheets<InvestingSheet, Investments>({
  invest: ({ fund }, data, { close }) => {
    const fundName = fundText(fund)
    return {
      title: t`Invest in ${fundName}`,
      description: t`From your account, at the next price`,
      content: (
        <Before data={data}>
          <Invest data={data} fund={fund} onDone={close} />
        </Before>
      ),
    }
  },
  new_plan: ({ fund }, data, { close }) => ({
    title: t`Invest regularly`,
    description: t`The same amount automatically, every week or month`,
    content: (
      <Before data={data}>
        <NewPlan data={data} fund={fund} onDone={close} />
      </Before>
    ),
  }),
  fund: ({ fund }, data, { show }) => ({
    title: fundText(fund),
    description: t`What this fund is, and what you hold of it`,
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
    title: t({ message: 'Order', comment: 'To buy or sell units of a fund' }),
    description: t`What you ordered, and what became of it`,
    content: <OrderDetails order={order} onDone={close} />,
  }),
  plan: ({ planId }, data, { close }) => ({
    title: t`Recurring investment`,
    description: t`What is invested again and again`,
    content: <ManagePlan data={data} planId={planId} onDone={close} />,
  }),
})
