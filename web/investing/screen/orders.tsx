import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { InvestmentOrder, Investments } from '#contract/investing.ts'
import { ordersQuery } from '#web/investing/queries.ts'
import { FundOrderItem } from '#web/investing/shared/order-row.tsx'
import type { InvestingSheet } from '#web/investing/shared/investing-sheet.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type OrdersProps = { data: Investments | undefined; onOpen: (sheet: InvestingSheet) => void }

/** Lists the orders that wait for the next price. */
export function PendingOrders({ data, onOpen }: OrdersProps) {
  const { t } = useLingui()
  if (!data || data.orders.length === 0) return null
  return (
    <Section title={t`Pending Orders`}>
      <OrderList orders={data.orders} today={data.today} onOpen={onOpen} />
    </Section>
  )
}

/** Lists all filled and canceled orders. */
export function History({ data, onOpen }: OrdersProps) {
  const { t } = useLingui()
  const list = useInfiniteQuery(ordersQuery)
  const orders = list.data?.pages.flatMap((page) => page.orders)
  return (
    <Section title={t({ message: 'History', comment: 'The history of orders' })}>
      {list.isError && !orders ? (
        <LoadFailure {...list} />
      ) : !orders || !data ? (
        <Card>
          <RowSkeletons count={3} />
        </Card>
      ) : orders.length === 0 ? (
        <Card className="p-5 text-center text-sm text-ink-soft">
          <Trans>Your orders will appear here.</Trans>
        </Card>
      ) : (
        <>
          <OrderList orders={orders} today={data.today} onOpen={onOpen} />
          <ShowMore list={list} />
        </>
      )}
    </Section>
  )
}

type OrderListProps = {
  orders: readonly InvestmentOrder[]
  today: string
  onOpen: OrdersProps['onOpen']
}

function OrderList({ orders, today, onOpen }: OrderListProps) {
  return (
    <Card>
      <Rows of={orders}>
        {(order) => <FundOrderItem order={order} today={today} onOpen={() => onOpen({ kind: 'order', order })} />}
      </Rows>
    </Card>
  )
}
