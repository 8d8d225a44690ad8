import source from './joblens_dask.py';

/** The plugin as a text: the bundle carries it. */
export default source;
