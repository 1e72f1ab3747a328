import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Sheet, useSheet } from '#web/ui/sheet.tsx'

const loadChange = () => import('#web/insights/shared/change-category.tsx')

/** Shows a transaction's category. The customer can change the category of spending. */
export function CategoryValue({ transaction }: { transaction: TransactionDetail }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const change = useSheet(loadChange, open, () => setOpen(false))
  const { countsAs } = transaction
  if (countsAs === null) return categoryText(transaction.category)
  const name = nameText(transaction.name)
  return (
    <>
      {categoryText(countsAs)}
      <IconButton
        icon={Pencil}
        label={t`Change Category of ${name}`}
        aria-haspopup="dialog"
        className="-my-2 -me-3 [&_svg]:!size-4 !text-ink-soft"
        onClick={() => setOpen(true)}
      />
      {change && (
        <Sheet open={open} onOpenChange={setOpen} title={t`Change category`} description={name}>
          <change.ChangeCategory
            key={countsAs}
            payment={{ ...transaction, name }}
            category={countsAs}
            onDone={() => setOpen(false)}
          />
        </Sheet>
      )}
    </>
  )
}
