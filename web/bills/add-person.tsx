import { useLingui } from '@lingui/react/macro'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Sharer } from '#web/bills/people-options.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadSheet = () => import('#web/bills/add-person-sheet.tsx')

/** Adds a person who is not a contact yet. */
export function AddPerson({ onAdd }: { onAdd: (person: Sharer) => void }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const sheet = useSheet(loadSheet, open, () => setOpen(false))
  return (
    <>
      <ButtonRow icon={UserPlus} title={t`Add Someone Else`} opens onClick={() => setOpen(true)} />
      {sheet && <sheet.AddPersonSheet open={open} onOpenChange={setOpen} onAdd={onAdd} />}
    </>
  )
}
