import { useLingui } from '@lingui/react/macro'
import type { InvestmentOrder, Investments } from '#contract/investing.ts'
import type { Fund } from '#contract/markets.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { Before } from '#web/investing/sheets/before.tsx'
import { HoldingDetails } from '#web/investing/sheets/holding-details.tsx'
import { Invest } from '#web/investing/sheets/invest.tsx'
import { ManagePlan } from '#web/investing/sheets/manage-plan.tsx'
import { NewPlan } from '#web/investing/sheets/new-plan.tsx'
import { OrderDetails } from '#web/investing/sheets/order-details.tsx'
import { Sell } from '#web/investing/sheets/sell.tsx'
import { Sheet, showFromTop } from '#web/ui/sheet.tsx'

/** What is looked at, or done, in a sheet. */
export type InvestingSheet =
  | { kind: 'invest' | 'new_plan' | 'holding' | 'sell'; fund: Fund }
  | { kind: 'order'; order: InvestmentOrder }
  | { kind: 'plan'; planId: string }

type InvestingSheetsProps = {
  data: Investments
  sheet: InvestingSheet
  open: boolean
  onShow: (sheet: InvestingSheet) => void
  onClose: () => void
}

/** One sheet for all that is done with investments: what it shows changes while it stays open. */
export function InvestingSheets({ open, ...inside }: InvestingSheetsProps) {
  const { sheet, onClose } = inside
  return (
    <Sheet open={open} onOpenChange={(next) => next || onClose()} {...useTitle(sheet)}>
      <div key={keyOf(sheet)} ref={showFromTop}>
        <Inside {...inside} />
      </div>
    </Sheet>
  )
}

const keyOf = (sheet: InvestingSheet): string =>
  `${sheet.kind} ${'fund' in sheet ? sheet.fund : 'order' in sheet ? sheet.order.id : sheet.planId}`

function Inside({ data, sheet, onShow, onClose }: Omit<InvestingSheetsProps, 'open'>) {
  switch (sheet.kind) {
    case 'invest':
      return (
        <Before data={data}>
          <Invest data={data} fund={sheet.fund} onDone={onClose} />
        </Before>
      )
    case 'new_plan':
      return (
        <Before data={data}>
          <NewPlan data={data} fund={sheet.fund} onDone={onClose} />
        </Before>
      )
    case 'holding':
      return <HoldingDetails data={data} fund={sheet.fund} onShow={onShow} />
    case 'sell':
      return <Sell data={data} fund={sheet.fund} onDone={onClose} />
    case 'order':
      return <OrderDetails order={sheet.order} onDone={onClose} />
    case 'plan':
      return <ManagePlan data={data} planId={sheet.planId} onDone={onClose} />
  }
}

function useTitle(sheet: InvestingSheet): { title: string; description: string } {
  const { t } = useLingui()
  const fundName = 'fund' in sheet ? fundText(sheet.fund) : ''
  switch (sheet.kind) {
    case 'invest':
      return { title: t`Invest in ${fundName}`, description: t`From your account, at the next price` }
    case 'new_plan':
      return { title: t`Invest Regularly`, description: t`The same amount, every week or every month` }
    case 'holding':
      return { title: fundName, description: t`What you hold of this fund` }
    case 'sell':
      return { title: t`Sell ${fundName}`, description: t`To your account, at the next price` }
    case 'order':
      return {
        title: t({ message: 'Order', comment: 'To buy or sell units of a fund' }),
        description: t`What you ordered, and what became of it`,
      }
    case 'plan':
      return { title: t`Recurring investment`, description: t`What is invested again and again` }
  }
}
