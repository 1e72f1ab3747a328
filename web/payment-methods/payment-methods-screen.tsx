import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cardsQuery } from '#web/cards/queries.ts'
import { linkedAccountsQuery } from '#web/lib/linked-accounts.ts'
import { Cards } from '#web/payment-methods/cards.tsx'
import { DirectDebits } from '#web/payment-methods/direct-debits.tsx'
import { LinkedAccountList } from '#web/payment-methods/linked-accounts.tsx'
import { mandatesQuery } from '#web/payment-methods/queries.ts'
import type { OpenPaymentMethodSheet } from '#web/payment-methods/open-sheet.ts'
import { paths } from '#web/lib/paths.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'

const loadSheets = async () => (await import('#web/payment-methods/sheets.tsx')).OpenedSheet

/** Shows the customer's cards, accounts at other banks and services, and direct debits. */
export function PaymentMethodsScreen() {
  const { t } = useLingui()
  const sheets = useSheets(loadSheets, true)
  return (
    <Screen title={t`Payment Methods`} back={paths.settings}>
      <Sections onOpen={sheets.show} />
      {sheets.render(null)}
    </Screen>
  )
}

/** If all three lists fail to load, one error replaces all of them. */
function Sections({ onOpen }: { onOpen: (opened: OpenPaymentMethodSheet) => void }) {
  const queries = [useQuery(cardsQuery), useQuery(linkedAccountsQuery), useQuery(mandatesQuery)]
  const [first] = queries
  if (first?.error && queries.every(({ data, error }) => error && !data)) {
    return <LoadFailure error={first.error} refetch={() => queries.forEach(({ refetch }) => void refetch())} />
  }
  return (
    <>
      <Cards onOpen={onOpen} />
      <LinkedAccountList onOpen={onOpen} />
      <DirectDebits onOpen={onOpen} />
    </>
  )
}
