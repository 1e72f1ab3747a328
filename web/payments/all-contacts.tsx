import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useSheet } from '#web/ui/sheet.tsx'

const loadContacts = () => import('#web/payments/contacts-sheet.tsx')

/** Shows the button that opens all contacts. */
export function AllContacts({ onChoose }: { onChoose: (address: string) => void }) {
  const [open, setOpen] = useState(false)
  const sheet = useSheet(loadContacts, open, () => setOpen(false))
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="-mx-3 -my-2 !px-3"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Trans comment="Opens the list of all contacts">See All</Trans>
      </Button>
      {sheet && <sheet.ContactsSheet open={open} onOpenChange={setOpen} onChoose={onChoose} />}
    </>
  )
}
