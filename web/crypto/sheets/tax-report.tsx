import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { taxLotsUrl } from '#web/crypto/queries.ts'
import { download } from '#web/lib/download.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

/** The number of earlier years in the list. */
const YEARS_BACK = 10

/** Offers a year's tax lots as a file. */
export function TaxReport({ today }: { today: string }) {
  const { t } = useLingui()
  const thisYear = Number(today.slice(0, 4))
  const [year, setYear] = useState(thisYear)
  const [busy, setBusy] = useState(false)
  async function save(): Promise<void> {
    setBusy(true)
    try {
      await download(taxLotsUrl(year), `alder-crypto-tax-${year}.csv`)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="px-1 text-pretty text-ink-soft">
        <Trans>
          Every sale in the year, with the cost and purchase date of the coins, and the coins you still have. The coins
          you bought first count as sold first.
        </Trans>
      </p>
      <Segmented
        label={t`Year`}
        value={String(year)}
        onChange={(chosen) => setYear(Number(chosen))}
        options={Array.from({ length: YEARS_BACK + 1 }, (_, back) => String(thisYear - back)).map((value) => ({
          value,
          label: value,
        }))}
      />
      <Button icon={<Download aria-hidden className="size-5" />} busy={busy} onClick={() => void (busy || save())}>
        <Trans comment="CSV is a file format">Download CSV</Trans>
      </Button>
    </div>
  )
}
