import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { download } from '#web/lib/download.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { loanStatementUrl } from '#web/loans/shared/queries.ts'
import { ButtonRow } from '#web/ui/row.tsx'

/** Offers a loan's statement as a PDF. */
export function LoanStatementDownload({ id, disabled = false }: { id: string; disabled?: boolean }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  async function get(): Promise<void> {
    setBusy(true)
    try {
      await download(loanStatementUrl(id), 'alder-loan-statement.pdf')
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <ButtonRow
      icon={Download}
      title={t`Download Statement`}
      description={t`As a PDF`}
      busy={busy}
      disabled={disabled}
      onClick={() => void get()}
    />
  )
}
