/** The size of the plot, both loaded and loading. */
export const PLOT_SIZE = 'my-1.5 h-52'
