/** The modifier key of shortcuts, as it is labeled on this device. */
export const MOD_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
