import { useNavigate } from 'react-router'
import type { SheetOf } from '#web/app/shell/sheet-of.ts'
import type { Overlay } from '#web/app/shell/shortcuts.ts'
import { afterSheets } from '#web/lib/address-sheet.ts'
import { useSheet } from '#web/ui/sheet.tsx'

const loadPay = () => import('#web/app/shell/pay-sheet.tsx')
const loadMore = () => import('#web/app/shell/more-sheet.tsx')

type TabSheetsProps = { opened: Overlay | null; onOpen: (overlay: Overlay | null) => void }

/** What the tabs Pay and More open. */
export function TabSheets({ opened, onOpen }: TabSheetsProps) {
  const navigate = useNavigate()
  const onClose = () => onOpen(null)
  const pay = useSheet(loadPay, opened === 'pay', onClose)
  const more = useSheet(loadMore, opened === 'more', onClose)
  const go: SheetOf['go'] = (path, state) => {
    onClose()
    afterSheets(() => void navigate(path, { ...(state && { state }) }))
  }
  const linkTo: SheetOf['linkTo'] = (path) => ({
    to: path,
    onClick: (event) => {
      // Into a new tab: this one stays as it is.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go(path)
    },
  })
  return (
    <>
      {pay && <pay.PaySheet open={opened === 'pay'} {...{ onClose, go, linkTo }} />}
      {more && (
        <more.MoreSheet open={opened === 'more'} {...{ onClose, go, linkTo }} onSearch={() => onOpen('palette')} />
      )}
    </>
  )
}
