import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useState } from 'react'
import type { Bill } from '#contract/bills.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { billsQuery } from '#web/bills/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'
import { NamedAmount } from '#web/ui/named-amount.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/bills/bill-sheet.tsx')

/** Lists the bills that the customer has split, each with its paid amount. */
export function BillList() {
  const { t } = useLingui()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(billsQuery)
  const [openedId, setOpened] = useState<string | null>(null)
  const sheet = useSheet(loadSheet, openedId !== null, () => setOpened(null))
  const bills = data?.pages.flatMap((page) => page.bills) ?? []
  if (bills.length === 0) return null
  return (
    <Section title={t`Your Bills`}>
      <Card>
        <Rows of={bills}>{(bill) => <BillRow bill={bill} onOpen={() => setOpened(bill.id)} />}</Rows>
      </Card>
      {hasNextPage && (
        <Button
          variant="quiet"
          size="small"
          className="mt-2"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          <Trans>Show More</Trans>
        </Button>
      )}
      {sheet && (
        <sheet.BillSheet bill={bills.find(({ id }) => id === openedId) ?? null} onClose={() => setOpened(null)} />
      )}
    </Section>
  )
}

function BillRow({ bill, onOpen }: { bill: Bill; onOpen: () => void }) {
  const { t } = useLingui()
  const now = useBusinessNow()
  const requestedMinor = bill.totalMinor - bill.ownMinor
  const paid = money(bill.paidMinor, bill.asset)
  const asked = money(requestedMinor, bill.asset)
  const day = shortDay(bill.createdAt, now)
  const state =
    bill.status === 'settled'
      ? t`Settled`
      : bill.status === 'ended'
        ? t`Closed, ${paid} of ${asked} paid`
        : t`${paid} of ${asked} paid`
  return (
    <ButtonRow
      icon={ReceiptText}
      tint={bill.status === 'open' ? 'orange' : 'primary'}
      title={
        <NamedAmount
          name={bill.description ?? t`Bill`}
          amount={<Money amountMinor={bill.totalMinor} asset={bill.asset} fit />}
        />
      }
      description={t({ message: `${day} · ${state}`, comment: '{day} is a day, {state} the paid part of a bill' })}
      opens
      onClick={onOpen}
    />
  )
}
