// SPDX-License-Identifier: Apache-2.0
// Made by tools/types.mjs from the OpenAPI document of the API.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what this server is and can do */
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what is open */
        get: operations["get_targets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a target at a glance */
        get: operations["get_targets_t"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the column families */
        get: operations["get_targets_t_cfs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one column family */
        get: operations["get_targets_t_cfs_cf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the table files, by level */
        get: operations["get_targets_t_files"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one table file */
        get: operations["get_targets_t_files_n"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** every property of a table, as stored and decoded */
        get: operations["get_targets_t_files_n_properties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/footer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the footer of a table and its metaindex */
        get: operations["get_targets_t_files_n_footer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of a table is what: ranges that tile it */
        get: operations["get_targets_t_files_n_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal/{n}/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of a log is what */
        get: operations["get_targets_t_wal_n_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/manifest/layout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which byte of the MANIFEST is what */
        get: operations["get_targets_t_manifest_layout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the handles of a table's index, of its top level or of one partition */
        get: operations["get_targets_t_files_n_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the blocks of a table, each read and verified */
        get: operations["get_targets_t_files_n_blocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks/{offset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** one block */
        get: operations["get_targets_t_files_n_blocks_offset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/blocks/{offset}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the entries of a block, with restarts and shared prefixes */
        get: operations["get_targets_t_files_n_blocks_offset_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/filter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a table's filter: kind, fill and measured false positives */
        get: operations["get_targets_t_files_n_filter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/filter:probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what the filter says of a key, and which bits say it */
        get: operations["get_targets_t_files_n_filter_probe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/scan_reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which bytes of a table a scan from its beginning reads, one read after the other */
        get: operations["get_targets_t_files_n_scan_reads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the entries of a table as stored, range deletions last */
        get: operations["get_targets_t_files_n_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/range_dels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the range deletions of a table */
        get: operations["get_targets_t_files_n_range_dels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/hex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** some bytes of a table or of a block, in hexadecimal */
        get: operations["get_targets_t_files_n_hex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a table as it lies on disk, or one block of it; understands Range */
        get: operations["get_targets_t_files_n_bytes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the levels of a family, with scores and overlaps */
        get: operations["get_targets_t_cfs_cf_levels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/versions/{edit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the shape of the database after an edit, or "newest" */
        get: operations["get_targets_t_versions_edit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/versions:diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what differs between two edits, or two databases */
        get: operations["get_targets_t_versions_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/manifest/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the edits of the MANIFEST */
        get: operations["get_targets_t_manifest_edits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** flushes, compactions, moves and ingestions, oldest first */
        get: operations["get_targets_t_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/files/{n}/lineage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** where a table came from and what became of it */
        get: operations["get_targets_t_files_n_lineage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the write-ahead logs */
        get: operations["get_targets_t_wal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/wal/{n}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the batches of a log, and its damage */
        get: operations["get_targets_t_wal_n_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what RocksDB wrote into its LOG */
        get: operations["get_targets_t_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the options of a family and its tables that differ from the defaults */
        get: operations["get_targets_t_cfs_cf_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** set options of a running database: {"name":value} */
        patch: operations["patch_targets_t_cfs_cf_options"];
        trace?: never;
    };
    "/targets/{t}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the options of the database and its families that differ from the defaults */
        get: operations["get_targets_t_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** statistics of a running engine */
        get: operations["get_targets_t_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/stats/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** statistics of a running engine, one sample a second */
        get: operations["get_targets_t_stats_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the value of a key */
        get: operations["get_targets_t_cfs_cf_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:multiget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** the values of several keys, read together: {"keys":["a","hex:6b31"]} */
        post: operations["post_targets_t_cfs_cf_multiget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the records in key order */
        get: operations["get_targets_t_cfs_cf_scan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a get looks at, stop by stop */
        get: operations["get_targets_t_cfs_cf_explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** what a batch of gets looks at: {"keys":["a","hex:6b31"]} */
        post: operations["post_targets_t_cfs_cf_explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/locate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** which files hold a key, and why the others do not */
        get: operations["get_targets_t_cfs_cf_locate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}/explain/scan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a scan reads and steps over, table by table */
        get: operations["get_targets_t_cfs_cf_explain_scan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/cfs/{cf}:flush": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** write the memtables of a running database to a table */
        post: operations["post_targets_t_cfs_cf_flush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** write to a running database, all or nothing: {"ops":[{"op":"put",…}]} */
        post: operations["post_targets_t_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what clients have brought to a running database and not added yet */
        get: operations["get_targets_t_uploads"];
        put?: never;
        /** begin to bring tables; a job of the kind "ingest" adds them */
        post: operations["post_targets_t_uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/uploads/{u}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** an upload and its tables */
        get: operations["get_targets_t_uploads_u"];
        put?: never;
        post?: never;
        /** remove an upload and its tables */
        delete: operations["delete_targets_t_uploads_u"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/uploads/{u}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** bring a table, whose bytes are the body; the server names it */
        post: operations["post_targets_t_uploads_u_tables"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the jobs of a target */
        get: operations["get_targets_t_jobs"];
        put?: never;
        /** start a job: {"kind":"verify"} */
        post: operations["post_targets_t_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** a job's state and progress; with Accept: text/event-stream, as they change */
        get: operations["get_targets_t_jobs_j"];
        put?: never;
        post?: never;
        /** cancel a job that runs; forget one that has ended */
        delete: operations["delete_targets_t_jobs_j"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** what a job found out; its schema depends on the kind of job */
        get: operations["get_targets_t_jobs_j_result"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/jobs/{j}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** everything a verification found */
        get: operations["get_targets_t_jobs_j_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/targets/{t}/analyses/{analysis}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the newest result of an analysis: space, tombstones, keyspace, filters, compression */
        get: operations["get_targets_t_analyses_analysis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** plugins of the page, of the folder that the server was given */
        get: operations["get_plugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schema/{name}/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** the JSON Schema of a document */
        get: operations["get_schema_name_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** this API as OpenAPI 3.1 */
        get: operations["get_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AsOf: {
            /** @description the newest edit of the MANIFEST that it takes in */
            edit?: string;
            /** @description the newest sequence number that it takes in */
            seq?: string;
            /** @description an engine of this process has the database open */
            live: boolean;
        };
        Batch: {
            /** @description all or none are done, in order */
            ops: ({
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description a literal of bytes */
                key: string;
                /** @description a literal of bytes */
                value: string;
                /** @constant */
                op: "put";
            } | {
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description a literal of bytes */
                key: string;
                /** @constant */
                op: "delete";
            } | {
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description a literal of bytes */
                key: string;
                /** @constant */
                op: "single_delete";
            } | {
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description a literal of bytes */
                key: string;
                /** @description a literal of bytes */
                value: string;
                /** @constant */
                op: "merge";
            } | {
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description a literal of bytes */
                from: string;
                /** @description a literal of bytes */
                to: string;
                /** @constant */
                op: "range_delete";
            })[];
            /** @description what must still hold, or nothing is written */
            expect?: components["schemas"]["Expectation"][];
        };
        BatchDocument: {
            /** @constant */
            schema: "varve.batch/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description operations, all of them */
            written: number;
        };
        Block: {
            /** @description where it begins in the table */
            offset: number;
            /** @description as stored, with its trailer */
            size: number;
            /** @description data, index, filter, properties, ... */
            kind: string;
            /** @description none, snappy, zstd, ...; empty: unknown */
            codec: string;
            /** @description decompressed; 0: it cannot be */
            raw_size: number;
            /** @description of the block as stored */
            checksum: components["schemas"]["BlockChecksum"];
            /** @description of a block of keys and values */
            entries?: number;
            /** @description entries whose key is stored whole, where a search may begin */
            restarts?: number;
            /** @description entries from one restart to the next, at most */
            restart_interval?: number;
            /** @description of its keys, written out */
            key_bytes?: number;
            /** @description of these, those that sharing prefixes saved */
            shared_key_bytes?: number;
            /** @description of its values */
            value_bytes?: number;
            /** @description of its hash index */
            hash_buckets?: number;
            /** @description of these buckets */
            hash_empty?: number;
            /** @description of these buckets, those that cannot say which restart */
            hash_collisions?: number;
            /** @description keys and values are stored apart */
            separated?: boolean;
            /** @description why not all of it could be decoded */
            problem?: string;
        };
        BlockChecksum: {
            /** @description it is right, or the table has none */
            ok: boolean;
            /** @description in the block's trailer */
            stored: string;
            /** @description of the bytes that are there */
            computed: string;
            /** @description it is right of the block as it was before ingestion wrote a sequence number into it */
            patched?: boolean;
        };
        BlockDocument: {
            /** @constant */
            schema: "varve.block/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the block, verified */
            block: components["schemas"]["Block"];
        };
        BlockEntriesDocument: {
            /** @constant */
            schema: "varve.block_entries/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description of the block */
            kind: string;
            entries: components["schemas"]["BlockEntry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        BlockEntry: {
            /** @description where it begins in the decompressed block */
            offset: number;
            /** @description its key is stored whole */
            restart: boolean;
            /** @description of its key, taken from the one before */
            shared: number;
            /** @description of its key, stored */
            non_shared: number;
            /** @description whole, without sequence number and type */
            key: components["schemas"]["Bytes"];
            /** @description its sequence number, if its key has one */
            seq?: string;
            /** @description put, delete, merge, ... */
            type?: string;
            /** @description as stored, unless it is a handle */
            value?: components["schemas"]["Bytes"];
            /** @description of the block that it leads to */
            handle?: components["schemas"]["BlockHandle"];
            /** @description first user key of that block, if stored */
            first_key?: components["schemas"]["Bytes"];
            /** @description data blocks that the index partition it leads to names */
            blocks?: number;
        };
        BlockHandle: {
            /** @description where the block begins */
            offset: number;
            /** @description of the block, without its trailer of 5 bytes */
            size: number;
        };
        BlockRead: {
            /**
             * @description of block
             * @enum {string}
             */
            kind: "filter_partition" | "index_partition" | "data";
            /** @description where it begins in the table */
            offset: number;
            /** @description as stored, with its trailer */
            size: number;
            /** @description decompressed */
            raw_size: number;
            /** @description by an earlier look of the same report */
            cached: boolean;
            /** @description that fetching it took */
            ns?: number;
            /** @description RocksDB reads it; this engine knows that the key cannot be there, and does not */
            rocksdb_only?: boolean;
        };
        BlocksDocument: {
            /** @constant */
            schema: "varve.blocks/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description on all pages, of the kind that was asked for */
            blocks_total: number;
            /** @description defects of the table as a whole */
            problems: string[];
            blocks: components["schemas"]["Block"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Bound: {
            /** @description the user key */
            key: components["schemas"]["Bytes"];
            /** @description its sequence number */
            seq: string;
            /** @description put, delete, merge, ... */
            type: string;
        };
        Bytes: {
            hex?: string;
            b64?: string;
            text?: string;
            len: number;
            /** @constant */
            truncated?: true;
            href?: string;
        };
        Capabilities: {
            /** @description running databases may be changed, by who asks, at least in part */
            write: boolean;
            /** @description one of the targets is a running database */
            live: boolean;
            /** @description /metrics has something to tell */
            metrics: boolean;
            /** @description benchmarks can be started */
            bench: boolean;
            /** @description kinds of jobs */
            jobs: string[];
            /** @description of a request */
            max_body: number;
            /** @description compression that can be read */
            codecs: string[];
            /** @description orders of keys that are known */
            comparators: string[];
            /** @description forms of key literals */
            decoders: string[];
        };
        CfDocument: {
            /** @constant */
            schema: "varve.cf/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the column family, without its files */
            family: components["schemas"]["FamilySummary"];
        };
        CfsDocument: {
            /** @constant */
            schema: "varve.cfs/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            cfs: components["schemas"]["FamilySummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        CodecTotals: {
            /** @description none, snappy, zstd, ... */
            codec: string;
            /** @description tables that are compressed so */
            files: number;
            /** @description of their keys and values */
            raw_bytes: number;
            /** @description of their data blocks */
            stored_bytes: number;
            /** @description raw bytes for each stored one */
            ratio: number;
        };
        CompactDocument: {
            /** @constant */
            schema: "varve.compact/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the range was compacted */
            compacted: boolean;
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
        };
        CompactionShape: {
            /** @description an OPTIONS file has them; false: the others are RocksDB's defaults */
            options_known: boolean;
            /**
             * @description of the options that the scores are computed with
             * @enum {string}
             */
            style: "level" | "universal" | "fifo" | "none";
            /** @description targets follow the size of the last level; of style level */
            dynamic_level_bytes: boolean;
            /** @description files on level 0 that make it want compaction */
            level0_trigger: number;
            /** @description where level 0 compacts to; of style level */
            base_level: number;
            /** @description scores count deletions as well */
            compensated: boolean;
        };
        CompressionDocument: {
            /** @constant */
            schema: "varve.compression/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the column families */
            cfs: components["schemas"]["CompressionFamily"][];
            /** @description tables that do not open, with the reason */
            unreadable: string[];
        };
        CompressionFamily: {
            /** @description number of the column family */
            id: number;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description those with tables */
            levels: components["schemas"]["CompressionLevel"][];
        };
        CompressionLevel: {
            /** @description its number */
            level: number;
            /** @description tables on it */
            files: number;
            /** @description of these tables */
            file_bytes: number;
            /** @description of the tables' indexes */
            index_bytes: number;
            /** @description by way of compression */
            codecs: components["schemas"]["CodecTotals"][];
        };
        ContentDigest: {
            /** @description of all records, in the order of families and keys */
            xxh3: string;
            /** @description that were read */
            records: number;
        };
        Database: {
            /**
             * @description whose format it is in
             * @enum {string}
             */
            kind: "rocksdb" | "leveldb";
            /** @description of the database, as IDENTITY or the MANIFEST says */
            id: string;
            /** @description name of the current MANIFEST */
            manifest: string;
            /** @description of that file */
            manifest_bytes: number;
            /** @description number of the next new file, as the MANIFEST says */
            next_file_number: string;
            /** @description the column families */
            cfs: components["schemas"]["FamilySummary"][];
            /** @description the logs */
            wals: components["schemas"]["WalFile"][];
            /** @description table and blob files that the MANIFEST does not name */
            orphans: string[];
            /** @description files that it names and that are not there */
            missing: string[];
            /** @description tables of another size than it says, with both sizes */
            wrong_size: string[];
        };
        DiffDocument: {
            /** @constant */
            schema: "varve.diff/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the same families with the same records */
            equal: boolean;
            /** @description records that both have */
            same: number;
            /** @description records that only A has */
            only_a: number;
            /** @description records that only B has */
            only_b: number;
            /** @description keys with different values */
            changed: number;
            /** @description column families that only A has */
            cfs_only_a: string[];
            /** @description column families that only B has */
            cfs_only_b: string[];
            /** @description all records that differ are listed */
            complete: boolean;
            /** @description the first thousand records that differ */
            differences: components["schemas"]["RecordDifference"][];
        };
        DigestDocument: {
            /** @constant */
            schema: "varve.digest/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description one number for all visible records */
            digest: components["schemas"]["ContentDigest"];
            /** @description files that are not there; what was in them is older than what is read */
            missing: string[];
        };
        DurationBucket: {
            /** @description the durations are below this, and at least half of it */
            below_ns: number;
            /** @description durations in it */
            count: number;
        };
        DurationHistogram: {
            /** @description durations measured */
            count: number;
            /** @description one of so many calls was measured */
            sampled_one_in: number;
            /** @description their sum, in microseconds */
            sum_us: number;
            /** @description median, in microseconds, interpolated within a bucket */
            p50_us: number;
            /** @description 95 percent took at most so many microseconds */
            p95_us: number;
            /** @description 99 percent took at most so many microseconds */
            p99_us: number;
            /** @description 99.9 percent took at most so many microseconds */
            p999_us: number;
            /** @description buckets that are not empty, shortest durations first */
            buckets: components["schemas"]["DurationBucket"][];
        };
        Edit: {
            /** @description its number, from 1 */
            edit: string;
            /** @description where it begins in the MANIFEST */
            offset: number;
            /** @description in the MANIFEST, headers included */
            size: number;
            /**
             * @description its purpose, inferred from its contents
             * @enum {string}
             */
            kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "add_family" | "drop_family" | "counters";
            /** @description name of the column family; empty: the MANIFEST has not named it (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description number of the column family */
            cf_id: number;
            /** @description what it sets */
            counters: components["schemas"]["EditCounters"];
            /** @description tables that it removes */
            deleted: components["schemas"]["EditDeletedFile"][];
            /** @description tables that it adds */
            added: components["schemas"]["EditFile"][];
            /** @description its changes to blob files */
            blob_files: components["schemas"]["EditBlobFile"][];
            /** @description edits of its atomic group that still follow; the group takes effect as a whole */
            atomic_group_remaining?: number;
            /** @description logs that it records as new */
            wals_added?: string[];
            /** @description logs below this number have been deleted */
            wals_deleted_below?: string;
            /** @description fields that are not known here and may be skipped */
            skipped_tags?: number[];
        };
        EditBlobFile: {
            /** @description number of the blob file */
            file: string;
            /** @description values that it gains or loses */
            blobs: number;
            /** @description of these values */
            bytes: number;
            /** @description true: the values become garbage; false: they are added */
            garbage: boolean;
        };
        EditCounters: {
            /** @description name of the order of the family's keys */
            comparator?: string;
            /** @description of the database */
            db_id?: string;
            /** @description highest number of a column family so far */
            max_cf_id?: string;
            /** @description all entries of the family in logs below this number are in its tables */
            log_number?: string;
            /** @description written by LevelDB: another log that is still needed; 0: none */
            prev_log_number?: string;
            /** @description logs below this number are not needed any more */
            min_log_number_to_keep?: string;
            /** @description number of the next new file */
            next_file_number?: string;
            /** @description last sequence number so far */
            last_seq?: string;
        };
        EditDeletedFile: {
            /** @description number of the table */
            file: string;
            /** @description that it is taken from */
            level: number;
        };
        EditFile: {
            /** @description number of the table */
            file: string;
            /** @description that it is put on */
            level: number;
            /** @description of the table */
            size: number;
            /** @description its first internal key */
            smallest: components["schemas"]["Bound"];
            /** @description its last internal key */
            largest: components["schemas"]["Bound"];
            /** @description lowest sequence number in it */
            smallest_seq: string;
            /** @description highest sequence number in it */
            largest_seq: string;
            /** @description hexadecimal */
            unique_id?: string;
        };
        EditsDocument: {
            /** @constant */
            schema: "varve.edits/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            edits: components["schemas"]["Edit"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        EngineStats: {
            /** @description counted since the database opened */
            tickers: components["schemas"]["Tickers"];
            /** @description how long calls and jobs took since then */
            histograms: components["schemas"]["Histograms"];
            /** @description at this moment */
            block_cache: {
                /** @description in the cache, those of other databases that share it included */
                bytes: number;
                /** @description that the cache may hold */
                capacity: number;
            };
            /** @description at this moment */
            stall: {
                /** @description what writes wait for at this moment: "memtables", "level0 files" or "pending bytes"; empty: nothing */
                cause: string;
            };
            /** @description of all memtables */
            memtable_bytes: number;
            /** @description of memtables that are in tables already and still read */
            pinned_memtable_bytes: number;
            /** @description tables that are open, each with a file descriptor */
            open_tables: number;
            /** @description in memory for open tables, outside the cache */
            open_table_bytes: number;
            /** @description of all blocks in memory: in caches, pinned by readers, and of open tables */
            block_bytes: number;
            /** @description each column family */
            cfs: components["schemas"]["FamilyStats"][];
        };
        EntriesDocument: {
            /** @constant */
            schema: "varve.entries/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            entries: components["schemas"]["Entry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Entry: {
            /** @description the user key; of a range deletion: where it begins */
            key: components["schemas"]["Bytes"];
            /** @description its sequence number */
            seq: string;
            /** @description put, delete, merge, range_delete, ... */
            type: string;
            /** @description of a range deletion: its end, exclusive */
            value?: components["schemas"]["Bytes"];
        };
        EntryCount: {
            /** @description how many */
            entries: number;
            /** @description of their internal keys and values, as stored before compression */
            bytes: number;
        };
        EventsDocument: {
            /** @constant */
            schema: "varve.events/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            events: components["schemas"]["LogEvent"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Expectation: {
            /** @description column family; default if not given (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description a literal of bytes */
            key: string;
            /** @description of its value, as …/get?digest=true says it; the key must not be there if not given */
            sha256?: string;
        };
        ExplainDocument: {
            /** @constant */
            schema: "varve.explain/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description get */
            op: string;
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description what a Get answers */
            result: components["schemas"]["GetResult"];
            /** @description stops of the Get, in their order */
            steps: components["schemas"]["ExplainStep"][];
            /** @description of all steps */
            totals: components["schemas"]["ReadTotals"];
        };
        ExplainReadsDocument: {
            /** @constant */
            schema: "varve.explain_reads/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description multiget */
            op: string;
            /** @description in the order asked for */
            keys: components["schemas"]["ExplainedGet"][];
            /** @description of all keys */
            totals: components["schemas"]["ReadTotals"];
            /** @description of the batch, in what the logs hold */
            memtable_search: components["schemas"]["MemtableSearch"];
        };
        ExplainScanDocument: {
            /** @constant */
            schema: "varve.explain_scan/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /**
             * @description scan
             * @enum {string}
             */
            op: "scan";
            /** @description what the scan returns */
            result: components["schemas"]["ScanResult"];
            /** @description in the order of a read: logs, level 0, level 1, ... */
            parts: components["schemas"]["ScanPart"][];
            /** @description of all parts */
            totals: components["schemas"]["ScanTotals"];
        };
        ExplainStep: {
            /** @description which stop it is, from 1 */
            n: number;
            /**
             * @description memtable: as the logs would fill it
             * @enum {string}
             */
            source: "memtable" | "file";
            /** @description number of the table */
            file?: string;
            /** @description that the table is on */
            level?: number;
            /**
             * @description what the stop had of the key
             * @enum {string}
             */
            verdict: "hit" | "deleted" | "merge_operand" | "miss" | "out_of_range" | "filter_negative" | "filter_false_positive" | "range_deleted" | "unreadable";
            /** @description what its filter says */
            filter?: components["schemas"]["FilterLook"];
            /** @description blocks that were looked at */
            reads: components["schemas"]["BlockRead"][];
            /** @description of the key; the newest first */
            versions: components["schemas"]["KeyVersion"][];
            /** @description of keys */
            comparisons: number;
            /** @description sequence number of the newest visible range deletion over the key */
            covered_by?: string;
            /** @description damage that was met */
            problem?: components["schemas"]["Problem"];
        };
        ExplainedGet: {
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description what a Get answers */
            result: components["schemas"]["GetResult"];
            /** @description stops of the Get, in their order */
            steps: components["schemas"]["ExplainStep"][];
            /** @description of all steps */
            totals: components["schemas"]["ReadTotals"];
        };
        FalsePositives: {
            /**
             * @description what the filter was asked for
             * @enum {string}
             */
            of: "absent_keys" | "random_strings";
            /** @description questions, to all of which no is right */
            asked: number;
            /** @description of them that the filter let through */
            passed: number;
            /** @description passed for each one asked */
            rate: number;
            /** @description 95 % interval of the rate (Wilson) */
            ci95: number[];
            /** @description rate of filters with so many bits set, if a key's bits are independent */
            expected?: number;
        };
        FamilyDiff: {
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description A has it */
            in_a: boolean;
            /** @description B has it */
            in_b: boolean;
            /** @description tables that only A has */
            removed: number;
            /** @description tables that only B has */
            added: number;
            /** @description tables on another level, or under another number */
            moved: number;
            /** @description tables on the same level of both */
            same: number;
            /** @description those that are not empty in both */
            levels: components["schemas"]["LevelDelta"][];
        };
        FamilyStats: {
            /** @description of the column family */
            id: string;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description at this moment */
            levels: components["schemas"]["LevelSize"][];
            /** @description of the memtable that takes writes */
            memtable_bytes: number;
            /** @description memtables that wait for a flush */
            sealed_memtables: number;
            /** @description of memtables that wait for a flush */
            sealed_memtable_bytes: number;
            /** @description at this moment */
            blob_files: number;
            /** @description of these files */
            blob_bytes: number;
            /** @description of values in them to which no table refers */
            blob_garbage_bytes: number;
            /** @description that compactions have to rewrite, estimated */
            pending_compaction_bytes: number;
            /** @description at this moment */
            running_compactions: components["schemas"]["RunningCompaction"][];
            /** @description point reads */
            gets: number;
            /** @description point reads that found a value */
            gets_found: number;
            /** @description tables that a filter kept from being searched */
            filter_negatives: number;
            /** @description tables searched because a filter allowed it */
            filter_positives: number;
            /** @description tables searched because a filter allowed it that had the key */
            filter_true_positives: number;
            /** @description batches of point reads */
            multigets: number;
            /** @description keys in batches of point reads */
            multiget_keys: number;
            /** @description keys in batches of point reads that had a value */
            multiget_keys_found: number;
            /** @description iterators made */
            iterators: number;
        };
        FamilySummary: {
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description its number */
            cf_id: number;
            /** @description the name, which may be any bytes */
            name: components["schemas"]["Bytes"];
            /** @description name of the order of its keys (with escapes: \n, \\, \xff) */
            comparator: string;
            /** @description that order is known here */
            comparator_known: boolean;
            /** @description tables */
            files: number;
            /** @description of these tables */
            bytes: number;
            /** @description files of large values */
            blob_files: number;
            /** @description all its entries in logs below this number are in its tables */
            log_number: string;
            /** @description all levels, empty ones included */
            levels: components["schemas"]["LevelSummary"][];
        };
        FamilyWrites: {
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description of memtables to tables */
            flushes: number;
            /** @description of these tables */
            flushed_bytes: number;
            /** @description of tables made elsewhere */
            ingestions: number;
            /** @description of these tables */
            ingested_bytes: number;
            /** @description that read tables and wrote others */
            compactions: number;
            /** @description of tables that they read */
            compaction_read_bytes: number;
            /** @description of tables that they wrote */
            compaction_written_bytes: number;
            /** @description of tables to another level, unchanged */
            moves: number;
            /** @description that wrote nothing */
            deletions: number;
            /** @description bytes written for each byte that was flushed or ingested */
            write_amplification?: number;
        };
        FileBefore: {
            /** @description number of the table in A */
            id: string;
            /** @description that it is on in A */
            level: number;
        };
        FileDocument: {
            /** @constant */
            schema: "varve.file/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the table */
            file: components["schemas"]["TableFile"];
            /** @description all that it has, by name */
            properties?: components["schemas"]["TableProperty"][];
            /** @description where the table came from, and what became of it */
            lineage?: components["schemas"]["Lineage"];
        };
        FileRead: {
            /** @description in the table */
            offset: number;
            /** @description asked for */
            size: number;
            /** @description started in the background, before the scan needs it */
            ahead?: boolean;
        };
        FileSummary: {
            /** @description number of the file */
            id: string;
            /** @description of the file */
            name: string;
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description number of the column family */
            cf_id: number;
            /** @description that it is on */
            level: number;
            /** @description of the file */
            size: number;
            /** @description its first internal key */
            smallest: components["schemas"]["Bound"];
            /** @description its last internal key */
            largest: components["schemas"]["Bound"];
            /** @description lowest sequence number in it */
            smallest_seq: string;
            /** @description highest sequence number in it */
            largest_seq: string;
            /** @description orders the files of level 0: the newest has the highest */
            epoch: string;
            /** @description when it was made; 0: unknown */
            creation_time_unix_s: number;
            /** @description when the oldest of what is in it was flushed; 0: unknown */
            oldest_ancestor_time_unix_s: number;
            /** @description hexadecimal; empty: not stored */
            unique_id: string;
            /** @description which of db_paths or cf_paths it lies in */
            path_id: number;
            /** @description a compaction is wanted, whatever the scores say */
            marked_for_compaction: boolean;
            /** @description in the directory */
            present: boolean;
            /** @description the edit that put it on this level; 0: unknown */
            added_by_edit: string;
            /** @description what a compaction of it would read of the next level */
            overlap?: components["schemas"]["Overlap"];
            /** @description of the table, deletions and merge operands included */
            entries?: number;
            /** @description of single keys, among them */
            deletions?: number;
            /** @description among them */
            range_deletions?: number;
            /** @description merge operands, among them */
            merges?: number;
            /** @description of internal keys, written out */
            raw_key_bytes?: number;
            /** @description of values, uncompressed */
            raw_value_bytes?: number;
        };
        FilesDocument: {
            /** @constant */
            schema: "varve.files/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            files: components["schemas"]["FileSummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        FilterDocument: {
            /** @constant */
            schema: "varve.filter/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the table */
            file: string;
            /** @description the filter of the table */
            filter: components["schemas"]["TableFilter"];
        };
        FilterLook: {
            /** @description bloom, legacy_bloom, ribbon, constant, per_block, none, unusable; point_index: that answered in its place */
            kind: string;
            /** @description one filter for each part of the keys */
            partitioned: boolean;
            /** @description it lets the key pass */
            may_match: boolean;
            /** @description of a Bloom filter: which bits were looked at, up to the first that is not set */
            bits?: number[];
            /** @description the one of them that is not set */
            first_zero?: number;
        };
        FilterPartitions: {
            /** @description how many there are */
            count: number;
            /** @description of them, without keys */
            empty: number;
            /** @description of the smallest */
            smallest: number;
            /** @description of the largest */
            largest: number;
        };
        FilterProbeDocument: {
            /** @constant */
            schema: "varve.filter_probe/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the table */
            file: string;
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description what its filter says */
            filter: components["schemas"]["FilterLook"];
            /** @description filter partitions that were read */
            reads: components["schemas"]["BlockRead"][];
        };
        FilterTotals: {
            /** @description of filter; none: tables without one */
            kind: string;
            /** @description tables with such a filter */
            files: number;
            /** @description of these tables */
            entries: number;
            /** @description of their filters */
            bytes: number;
            /** @description bits of filter for each entry */
            bits_per_key: number;
        };
        FiltersDocument: {
            /** @constant */
            schema: "varve.filters/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the column families */
            cfs: components["schemas"]["FiltersFamily"][];
            /** @description tables that do not open, with the reason */
            unreadable: string[];
        };
        FiltersFamily: {
            /** @description number of the column family */
            id: number;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description those with tables */
            levels: components["schemas"]["FiltersLevel"][];
        };
        FiltersLevel: {
            /** @description its number */
            level: number;
            /** @description tables on it */
            files: number;
            /** @description of these tables */
            file_bytes: number;
            /** @description by kind of filter */
            filters: components["schemas"]["FilterTotals"][];
        };
        Finding: {
            /**
             * @description warning: nothing is lost; unreadable, not_checked: nothing can be said
             * @enum {string}
             */
            severity: "error" | "not_checked" | "unreadable" | "warning";
            /** @description directory, manifest, level, table, block, wal, ... */
            layer: string;
            /** @description name within the directory; empty: none */
            file: string;
            /** @description what is wrong */
            what: string;
            /** @description where in the file */
            offset?: number;
            /** @description user keys that it may cost; long ones are cut so that they enclose the range */
            lost_range?: components["schemas"]["LostRange"];
        };
        FindingsDocument: {
            /** @constant */
            schema: "varve.findings/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            findings: components["schemas"]["Finding"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        FlushDocument: {
            /** @constant */
            schema: "varve.flush/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description its memtable is in tables now */
            flushed: boolean;
        };
        FooterDocument: {
            /** @constant */
            schema: "varve.footer/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the table */
            file: string;
            /** @description its last bytes */
            footer: components["schemas"]["TableFooter"];
            /** @description the blocks that the metaindex names */
            metaindex: components["schemas"]["MetaindexEntry"][];
        };
        GetDocument: {
            /** @constant */
            schema: "varve.get/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the key is there */
            found: boolean;
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description of the key */
            value?: components["schemas"]["Bytes"];
            /** @description with digest=true: of the whole value, in hex */
            sha256?: string;
        };
        GetResult: {
            /** @description the key is there */
            found: boolean;
            /** @description with which a Get fails */
            problem?: components["schemas"]["Problem"];
            /** @description sequence number of what settled it */
            seq?: string;
            /** @description the table that settled it; none: a memtable */
            file?: string;
            /** @description there are merge operands */
            merged?: boolean;
        };
        HexDocument: {
            /** @constant */
            schema: "varve.hex/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description of the first of them */
            offset: number;
            /** @description how many they are */
            size: number;
            /** @description of the file, or of the block */
            total: number;
            /** @description two digits each */
            hex: string;
        };
        HistogramBar: {
            /** @description smallest size */
            from: number;
            /** @description what sizes are less than */
            below: number;
            /** @description of these sizes */
            count: number;
        };
        Histograms: {
            /** @description point reads */
            "rocksdb.db.get.micros": components["schemas"]["DurationHistogram"];
            /** @description batches of point reads */
            "rocksdb.db.multiget.micros": components["schemas"]["DurationHistogram"];
            /** @description batches written, waiting included */
            "rocksdb.db.write.micros": components["schemas"]["DurationHistogram"];
            /** @description flushes */
            "rocksdb.db.flush.micros": components["schemas"]["DurationHistogram"];
            /** @description compactions that rewrote tables */
            "rocksdb.compaction.times.micros": components["schemas"]["DurationHistogram"];
        };
        HistoryDocument: {
            /** @constant */
            schema: "varve.history/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description whose edits these are */
            manifest: string;
            /** @description LOGs that were read, the oldest first */
            logs: string[];
            /** @description what could not be read or joined */
            warnings: string[];
            /** @description of each column family */
            totals: components["schemas"]["FamilyWrites"][];
            jobs: components["schemas"]["HistoryJob"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        HistoryFile: {
            /** @description number of the table */
            file: string;
            /** @description that it was on */
            level: number;
            /** @description of the table; 0: unknown */
            size: number;
        };
        HistoryJob: {
            /**
             * @description what was done; snapshot: the tables that the MANIFEST begins with
             * @enum {string}
             */
            kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
            /** @description of the MANIFEST; none: only a LOG tells of it */
            edit?: string;
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description number of the column family */
            cf_id: number;
            /** @description tables that it consumed */
            inputs: components["schemas"]["HistoryFile"][];
            /** @description tables that it made */
            outputs: components["schemas"]["HistoryFile"][];
            /** @description where these are */
            output_level: number;
            /** @description of tables; a move reads nothing */
            bytes_read: number;
            /** @description of tables; a move writes nothing */
            bytes_written: number;
            /** @description bytes written for each byte that came from above the output level */
            write_amplification?: number;
            /** @description of its newest output */
            creation_time_unix_s?: number;
            /** @description from the MANIFEST: no LOG confirms it */
            inferred: boolean;
            /** @description its number in the LOG */
            job?: number;
            /** @description the LOG that tells of it */
            log?: string;
            /** @description why, as the LOG says */
            reason?: string;
            /** @description as the LOG says */
            started_unix_us?: number;
            /** @description as the LOG says */
            finished_unix_us?: number;
        };
        IndexDocument: {
            /** @constant */
            schema: "varve.index/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description where the block begins in the table */
            offset: number;
            /** @description of the block as stored, with its trailer */
            size: number;
            /** @description binary, hash, two_level, first_key */
            kind: string;
            /** @description the top level leads to partitions, and these to data blocks */
            two_levels: boolean;
            /**
             * @description blocks that the handles are of
             * @enum {string}
             */
            leads_to: "index_partition" | "data";
            /** @description its keys have no sequence numbers */
            user_keys: boolean;
            /** @description places are stored as differences from the one before */
            delta_encoded: boolean;
            handles: components["schemas"]["BlockEntry"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        IngestedDocument: {
            /** @constant */
            schema: "varve.ingested/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description tables that were added, all of them */
            files: number;
            /** @description they are gone from the folder */
            moved: boolean;
        };
        Interval: {
            /** @description from the slices that were drawn */
            estimate: number;
            /** @description the 95 % confidence interval */
            ci95: number[];
        };
        Job: {
            /** @description by which paths name it */
            id: string;
            /** @description verify, analysis, ... */
            kind: string;
            /** @description who started it, where users have names */
            user?: string;
            /**
             * @description what has become of it so far
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description of its work */
            progress: components["schemas"]["JobProgress"];
            /** @description when it was asked for */
            started_unix_us: number;
            /** @description where it is shown */
            href: string;
            /** @description where its result is, once it is done */
            result_href?: string;
            /** @description why it failed */
            problem?: components["schemas"]["Problem"];
        };
        JobBody: {
            /** @description number of the table to verify; everything if not given */
            file?: string;
            /** @constant */
            kind: "verify";
        } | {
            /** @constant */
            kind: "digest";
        } | {
            /** @description the target to compare with */
            other: string;
            /** @description this column family only (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description only counts, without the records that differ */
            brief?: boolean;
            /** @constant */
            kind: "diff";
        } | {
            /** @description column family; default if not given (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description first key, a literal; of all if not given */
            from?: string;
            /** @description last key, a literal; of all if not given */
            to?: string;
            /** @constant */
            kind: "compact";
        } | {
            /** @description each family once; they are added in one step */
            tables: {
                /** @description column family; default if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description names of files of the upload, or in the database's folder "ingest" */
                files: string[];
            }[];
            /** @description the upload that the files are in, all of which is gone afterwards; if not given, they are in the folder "ingest" */
            upload?: string;
            /** @description move the files instead of copying them; those of an upload always are */
            move?: boolean;
            /** @constant */
            kind: "ingest";
        } | {
            /** @description number of the table, of a database */
            file?: string;
            /** @description entries of blocks that do not verify as well */
            unverified?: boolean;
            /** @constant */
            kind: "salvage";
        } | {
            /**
             * @description filters and compression are of whole databases
             * @enum {string}
             */
            analysis: "space" | "tombstones" | "keyspace" | "filters" | "compression";
            /** @description this column family only (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description first key, a literal */
            from?: string;
            /** @description key to stop before, a literal */
            to?: string;
            /** @description only keys with this prefix, a literal */
            prefix?: string;
            /** @description keys with the same bytes up to this one are a group */
            group_by?: string;
            /** @description keys with the same so many bytes are a group */
            group_length?: number;
            /** @description from samples */
            estimate?: boolean;
            /** @description slices of the keys to look at */
            samples?: number;
            /** @description of the choice of samples */
            seed?: number;
            /** @constant */
            kind: "analysis";
        };
        JobDocument: {
            /** @constant */
            schema: "varve.job/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description its state at this moment */
            job: components["schemas"]["Job"];
        };
        JobProgress: {
            /** @description so far */
            done: number;
            /** @description 0: unknown */
            total: number;
            /** @description what is counted: bytes, records */
            unit: string;
        };
        JobsDocument: {
            /** @constant */
            schema: "varve.jobs/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            jobs: components["schemas"]["Job"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        JobsUsage: {
            /** @description queued or running */
            unfinished: number;
            /** @description all that were not deleted */
            kept: number;
            /** @description of the results that are kept, approximately */
            result_bytes: number;
        };
        KeyVersion: {
            /** @description its sequence number */
            seq: string;
            /** @description put, delete, merge, ... */
            type: string;
            /** @description as stored */
            value: components["schemas"]["Bytes"];
            /** @description not newer than the moment asked about */
            visible: boolean;
            /** @description in a table: where its data block begins */
            block?: number;
        };
        Keys: {
            /** @description literals, at most a thousand */
            keys: string[];
        };
        KeyspaceDocument: {
            /** @constant */
            schema: "varve.keyspace/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the column families */
            cfs: components["schemas"]["KeyspaceFamily"][];
        };
        KeyspaceFamily: {
            /** @description number of the column family */
            id: number;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description why nothing more is known of it */
            not_supported?: string;
            /** @description of an estimate: what it stands on */
            sampled?: components["schemas"]["SampledSlices"];
            /** @description that a scan of all returns */
            keys: number;
            /** @description by power of two */
            key_sizes: components["schemas"]["HistogramBar"][];
            /** @description by power of two */
            value_sizes: components["schemas"]["HistogramBar"][];
            /** @description of the keys, in their order */
            slices: components["schemas"]["KeyspaceSlice"][];
        };
        KeyspaceSlice: {
            /** @description where it begins; it ends where the next begins */
            from: components["schemas"]["Bytes"];
            /** @description that a scan returns */
            keys: number;
            /** @description entries that a scan steps over */
            skipped: number;
            /** @description what a full compaction keeps */
            live: components["schemas"]["EntryCount"];
            /** @description hidden under newer versions or deletions */
            shadowed: components["schemas"]["EntryCount"];
            /** @description the deletions themselves */
            tombstones: components["schemas"]["EntryCount"];
        };
        LayoutDocument: {
            /** @constant */
            schema: "varve.layout/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description of the file */
            size: number;
            /** @description defects of the file as a whole */
            problems: string[];
            ranges: components["schemas"]["LayoutRange"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        LayoutRange: {
            /** @description where it begins in the file, or in the decompressed block */
            o: number;
            /** @description how many bytes it has */
            n: number;
            /** @description of the part of the file that it is, or is in */
            kind: string;
            /** @description of a field: its names from the part down */
            path?: string;
            /** @description that the field holds */
            number?: string;
            /** @description that the field holds */
            bytes?: components["schemas"]["Bytes"];
            /** @description what that means */
            note?: string;
        };
        Level: {
            /** @description its number */
            level: number;
            /** @description tables on it */
            files: number;
            /** @description of these tables */
            bytes: number;
            /** @description 1 and above: it wants compaction */
            score: number;
            /** @description size above which the score passes 1, if it has a limit */
            target_bytes?: number;
            /** @description of the next level: what a compaction of all of them would read, each table once */
            overlap?: components["schemas"]["Overlap"];
        };
        LevelDelta: {
            /** @description its number */
            level: number;
            /** @description tables on it in A */
            files_a: number;
            /** @description tables on it in B */
            files_b: number;
            /** @description of the tables in A */
            bytes_a: number;
            /** @description of the tables in B */
            bytes_b: number;
        };
        LevelSize: {
            /** @description the level */
            level: number;
            /** @description tables on the level */
            files: number;
            /** @description of the tables on the level */
            bytes: number;
        };
        LevelSummary: {
            /** @description its number */
            level: number;
            /** @description tables on it */
            files: number;
            /** @description of these tables */
            bytes: number;
            /** @description 1 and above: it wants compaction */
            score: number;
        };
        LevelsDocument: {
            /** @constant */
            schema: "varve.levels/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /** @description its number */
            cf_id: number;
            /** @description what the scores stand on */
            compaction: components["schemas"]["CompactionShape"];
            /** @description all levels, empty ones included */
            levels: components["schemas"]["Level"][];
        };
        Limits: {
            /** @description rows of a page, at most */
            page_size: number;
            /** @description of a page, after which it ends */
            page_bytes: number;
        };
        Lineage: {
            /** @description number of the table */
            file: string;
            /** @description that it was seen on last */
            level: number;
            /** @description of the table; 0: unknown */
            size: number;
            /** @description jobs between it and the table that was asked for */
            distance: number;
            /** @description the job that wrote it; none: older than what is recorded */
            made_by?: components["schemas"]["HistoryJob"];
            /** @description jobs that put it on another level */
            moved_by: components["schemas"]["HistoryJob"][];
            /** @description the job that took it away; none: it is in use */
            consumed_by?: components["schemas"]["HistoryJob"];
            /** @description every ancestor is followed back to a flush or an ingestion */
            complete: boolean;
            /** @description what it was made from; the nearest first, each once */
            ancestors: components["schemas"]["LineageStep"][];
            /** @description what was made from it; the nearest first, each once */
            successors: components["schemas"]["LineageStep"][];
        };
        LineageDocument: {
            /** @constant */
            schema: "varve.lineage/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description where the table came from, and what became of it */
            lineage: components["schemas"]["Lineage"];
        };
        LineageStep: {
            /** @description number of the table */
            file: string;
            /** @description that it was seen on last */
            level: number;
            /** @description of the table; 0: unknown */
            size: number;
            /** @description jobs between it and the table that was asked for */
            distance: number;
            /** @description the job that wrote it; none: older than what is recorded */
            made_by?: components["schemas"]["HistoryJob"];
            /** @description jobs that put it on another level */
            moved_by: components["schemas"]["HistoryJob"][];
            /** @description the job that took it away; none: it is in use */
            consumed_by?: components["schemas"]["HistoryJob"];
        };
        LocateDocument: {
            /** @constant */
            schema: "varve.locate/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description with which a Get fails, or may fail */
            problem?: components["schemas"]["Problem"];
            /** @description what the live logs hold of it */
            log: components["schemas"]["LocatedInLogs"];
            /** @description all tables, level by level; of level 0 the newest first */
            files: components["schemas"]["LocatedFile"][];
        };
        LocatedFile: {
            /** @description number of the table */
            file: string;
            /** @description that it is on */
            level: number;
            /**
             * @description what the table has of the key
             * @enum {string}
             */
            verdict: "out_of_range" | "holds" | "filter_negative" | "filter_wrong" | "not_here" | "range_deleted" | "unreadable";
            /** @description for people */
            reason: string;
            /** @description what its filter says */
            filter?: components["schemas"]["FilterLook"];
            /** @description blocks that were looked at */
            reads?: components["schemas"]["BlockRead"][];
            /** @description of the key; the newest first */
            versions?: components["schemas"]["KeyVersion"][];
            /** @description of keys */
            comparisons?: number;
            /** @description sequence number of the newest visible range deletion over the key */
            covered_by?: string;
            /** @description damage that was met */
            problem?: components["schemas"]["Problem"];
        };
        LocatedInLogs: {
            /** @description of the key; the newest first */
            versions: components["schemas"]["KeyVersion"][];
            /** @description sequence number of the newest visible range deletion over the key */
            covered_by?: string;
        };
        LogEvent: {
            /** @description the file that it is in */
            log: string;
            /** @description where in that file */
            offset: number;
            /** @description when it was logged */
            time_unix_us: number;
            /** @description flush_started, compaction_finished, ... */
            type: string;
            /** @description number of the flush or compaction */
            job?: number;
            /** @description all that RocksDB wrote of it */
            data: unknown;
        };
        LostRange: {
            /** @description no smaller key is lost; none: any may be */
            from?: components["schemas"]["Bytes"];
            /** @description no larger key is lost; none: any may be */
            to?: components["schemas"]["Bytes"];
        };
        MemtableSearch: {
            /** @description of the memtable */
            entries: number;
            /** @description nodes of a B+-tree that are visited, key by key */
            visited_tree: number;
            /** @description nodes of a skip list, each key from the top */
            visited_per_key: number;
            /** @description nodes of a skip list, each key from where the one before was found */
            visited_finger: number;
        };
        MetaindexEntry: {
            /** @description of the meta block */
            name: string;
            /** @description where the block begins */
            offset: number;
            /** @description of the block, without its trailer of 5 bytes */
            size: number;
        };
        MultiGetResult: {
            /** @description that was asked for */
            key: components["schemas"]["Bytes"];
            /** @description why it could not be determined */
            error?: components["schemas"]["Problem"];
            /** @description the key is there */
            found?: boolean;
            /** @description of the key */
            value?: components["schemas"]["Bytes"];
        };
        MultigetDocument: {
            /** @constant */
            schema: "varve.multiget/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description one for each key, in the order of the keys */
            results: components["schemas"]["MultiGetResult"][];
        };
        Option: {
            /**
             * @description whether it is the database's, a column family's, or its tables'
             * @enum {string}
             */
            scope: "db" | "cf" | "table";
            /** @description the column family that it is of, unless it is the database's (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description as RocksDB's; members of a value in braces are options of their own */
            name: string;
            /** @description what it is set to */
            value: string;
            /** @description RocksDB's, if it has such an option */
            default?: string;
            /** @description the OPTIONS file, or default where that does not mention it */
            source: string;
            /** @description from the default, where that is known */
            differs: boolean;
            /** @description RocksDB takes a new value while it runs */
            mutable: boolean;
        };
        OptionValues: {
            [key: string]: string | number | boolean;
        };
        OptionsDocument: {
            /** @constant */
            schema: "varve.options/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description that was read; empty: there is none */
            options_file: string;
            /** @description column families whose options the file has; of others they are unknown (with escapes: \n, \\, \xff) */
            families: string[];
            /** @description of the program that wrote it */
            rocksdb_version: string;
            /** @description version of RocksDB whose defaults these are */
            defaults_of: string;
            options: components["schemas"]["Option"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        OptionsPatchDocument: {
            /** @constant */
            schema: "varve.options_patch/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description they are set; else they were only checked */
            applied: boolean;
            /** @description the new values, by name */
            options: {
                [key: string]: string;
            };
        };
        OrphanFile: {
            /** @description of the file */
            name: string;
            /** @description of the file */
            bytes: number;
        };
        Overlap: {
            /** @description the next level */
            level: number;
            /** @description tables that would be read */
            files: number;
            /** @description of these tables */
            bytes: number;
        };
        Plugin: {
            /** @description its name in the folder */
            file: string;
            /** @description what is in it */
            text?: string;
            /** @description why there is no text of it */
            problem?: string;
        };
        PluginsDocument: {
            /** @constant */
            schema: "varve.plugins/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description in the order of names */
            plugins: components["schemas"]["Plugin"][];
        };
        Problem: {
            /** @description the code, as a relative reference */
            type: string;
            /** @description the same for all problems of the code */
            title: string;
            /** @description of the HTTP response */
            status: number;
            /**
             * @description the kind of problem, for programs
             * @enum {string}
             */
            code: "bad_request" | "bad_key_literal" | "page_token_mismatch" | "unauthorized" | "forbidden" | "right_missing" | "read_only" | "confirm_required" | "resource_not_found" | "target_not_found" | "cf_not_found" | "file_not_found" | "block_not_found" | "edit_not_found" | "job_not_found" | "upload_not_found" | "schema_not_found" | "analysis_not_run" | "method_not_allowed" | "conflict" | "already_exists" | "locked" | "job_running" | "page_token_expired" | "file_vanished" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "corruption" | "block_checksum_mismatch" | "digest_mismatch" | "truncated" | "order_violation" | "manifest_mismatch" | "rate_limited" | "internal" | "io_error" | "unsupported_feature" | "shutting_down" | "insufficient_storage";
            /** @description of the command line */
            exit_code: number;
            /** @description what is wrong in this case */
            detail: string;
            /** @description JSON pointer to what is wrong in the body of the request */
            pointer?: string;
            /** @description of the damage */
            location?: {
                /** @description its name */
                file: string;
                /** @description in this file */
                offset: number;
            };
            /** @description what may help */
            hint?: string;
            /** @description allowed methods */
            allow?: string;
            /** @description where a name and a password are posted to */
            sign_in?: string;
            /** @description the first page of the list */
            restart_href?: string;
            /** @description the request that computes the missing answer */
            start?: unknown;
            /** @description that is missing: read:TARGET/FAMILY, write:TARGET */
            right?: string;
            /** @description that is missing */
            feature?: string;
            /** @description that failed or was cancelled */
            job?: unknown;
            /** @description the same request may succeed later */
            retryable: boolean;
        };
        PropertiesDocument: {
            /** @constant */
            schema: "varve.properties/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the table */
            file: string;
            /** @description all that it has, by name */
            properties: components["schemas"]["TableProperty"][];
            /** @description what is wrong with it and does not keep it from being read */
            warnings: string[];
        };
        RangeDeletion: {
            /** @description first user key that it deletes */
            from: components["schemas"]["Bytes"];
            /** @description where it ends; not deleted itself */
            to: components["schemas"]["Bytes"];
            /** @description it deletes what is older than this sequence number */
            seq: string;
        };
        RangeDelsDocument: {
            /** @constant */
            schema: "varve.range_dels/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            range_dels: components["schemas"]["RangeDeletion"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        ReadPerfContext: {
            /** @description memtables asked */
            get_from_memtable_count: number;
            /** @description filters that let the key pass */
            bloom_sst_hit_count: number;
            /** @description filters that did not */
            bloom_sst_miss_count: number;
            /** @description blocks found in the cache */
            block_cache_hit_count: number;
            /** @description blocks read */
            block_read_count: number;
            /** @description of these blocks */
            block_read_byte: number;
            /** @description of them, of indexes */
            index_block_read_count: number;
            /** @description of them, of filters */
            filter_block_read_count: number;
            /** @description of them, of data */
            data_block_read_count: number;
        };
        ReadTotals: {
            /** @description tables whose range was compared */
            files_considered: number;
            /** @description that were asked */
            filters_checked: number;
            /** @description filters that let the key pass, of tables without it */
            filter_false_positives: number;
            /** @description from tables */
            blocks_read: number;
            /** @description of these blocks */
            bytes_read: number;
            /** @description that this engine's search makes */
            key_comparisons: number;
            /** @description what RocksDB's PerfContext counts for the same read */
            perf_context: components["schemas"]["ReadPerfContext"];
        };
        RecordDifference: {
            /** @description name of the column family (with escapes: \n, \\, \xff) */
            cf: string;
            /**
             * @description only one of them has the key, or its values differ
             * @enum {string}
             */
            kind: "only_a" | "only_b" | "changed";
            /** @description the user key */
            key: components["schemas"]["Bytes"];
            /** @description of B, where both have one */
            value: components["schemas"]["Bytes"];
        };
        Recovery: {
            /** @description what recovery leaves out because it is damaged */
            losses: components["schemas"]["RecoveryLoss"][];
        };
        RecoveryLoss: {
            /** @description the log */
            file: string;
            /** @description where in it */
            offset: number;
            /** @description that are left out */
            size: number;
            /** @description what is wrong there */
            what: string;
        };
        Right: {
            /**
             * @description who may write may read
             * @enum {string}
             */
            access: "read" | "write";
            /** @description name of the target; of all if not given */
            target?: string;
            /** @description name of the column family; all of the target if not given (with escapes: \n, \\, \xff) */
            cf?: string;
        };
        RootDocument: {
            /** @constant */
            schema: "varve.root/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description of varve */
            version: string;
            /** @description what this server can do */
            capabilities: components["schemas"]["Capabilities"];
            /** @description of its answers */
            limits: components["schemas"]["Limits"];
            /** @description names of all documents; GET /schema/{name}/{version} */
            schemas: string[];
            /** @description who asks, where users have names */
            user?: string;
            /** @description of who asks; all else is refused */
            rights: components["schemas"]["Right"][];
            /** @description what it shows to who asks */
            targets: components["schemas"]["TargetSummary"][];
        };
        RunningCompaction: {
            /** @description numbers of the tables that it reads */
            inputs: string[];
            /** @description that its tables will be on */
            output_level: number;
            /** @description the first key that they may hold */
            from: components["schemas"]["Bytes"];
            /** @description the last key that they may hold */
            to: components["schemas"]["Bytes"];
        };
        SalvageDocument: {
            /** @constant */
            schema: "varve.salvage/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the table */
            file: string;
            /** @description of the table */
            size: number;
            /** @description name of the order of its keys (with escapes: \n, \\, \xff) */
            comparator: string;
            /** @description no properties that name it could be read */
            comparator_assumed: boolean;
            /** @description blocks were found as readers find them */
            by_index: boolean;
            /** @description the file, or parts of it, were searched for blocks that verify */
            by_scan: boolean;
            /** @description every entry was recovered; the lost parts can be rebuilt */
            complete: boolean;
            /** @description of data, that verified */
            blocks: number;
            /** @description taken */
            entries: number;
            /** @description taken */
            range_deletions: number;
            /** @description entries of blocks that do not verify, taken because that was asked for */
            unverified_taken: number;
            /** @description estimated unless the document is exact */
            entries_lost: number;
            /** @description parts of the file that are lost */
            losses: components["schemas"]["SalvageLoss"][];
        };
        SalvageLoss: {
            /** @description where in the table */
            offset: number;
            /** @description from which nothing, or nothing certain, was taken */
            size: number;
            /** @description what is wrong there */
            what: string;
            /** @description entries; else an index, a filter, properties */
            data: boolean;
            /** @description lost; estimated unless the document is exact */
            entries: number;
            /** @description entries that could be read in spite of the damage */
            unverified: number;
            /** @description user keys that it may cost */
            lost_range?: components["schemas"]["LostRange"];
        };
        SampledSlices: {
            /** @description of the keys, looked at */
            slices: number;
            /** @description that there are */
            of: number;
        };
        ScanDocument: {
            /** @constant */
            schema: "varve.scan/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            rows: components["schemas"]["ScanRow"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        ScanPart: {
            /** @description which place of the read it is, from 1 */
            n: number;
            /**
             * @description memtable: as the logs would fill it
             * @enum {string}
             */
            source: "memtable" | "file";
            /** @description number of the table */
            file?: string;
            /** @description that the table is on */
            level?: number;
            /**
             * @description skipped: entries were stepped over, and none returned; beyond: opened, and nothing of it lies in the range; out_of_range: its keys end before
             * @enum {string}
             */
            verdict: "rows" | "skipped" | "beyond" | "out_of_range" | "unreadable";
            /** @description stepped on; the sum of the following */
            entries: number;
            /** @description returned, or merged into what was */
            rows: number;
            /** @description older versions, and what deletions hide */
            hidden: number;
            /** @description of single keys */
            deletions: number;
            /** @description covered by a range deletion */
            range_deleted: number;
            /** @description later than the moment asked about */
            too_new: number;
            /** @description not from the cache */
            blocks_read: number;
            /** @description of these blocks */
            bytes_read: number;
            /** @description blocks that were looked at, in order; the first thousand */
            reads: components["schemas"]["BlockRead"][];
            /** @description that are not listed */
            reads_more?: number;
            /** @description damage that was met */
            problem?: components["schemas"]["Problem"];
        };
        ScanPerfContext: {
            /** @description seeks in memtables */
            seek_on_memtable_count: number;
            /** @description steps in memtables */
            next_on_memtable_count: number;
            /** @description seeks in the runs that are merged */
            seek_child_seek_count: number;
            /** @description entries stepped over */
            internal_key_skipped_count: number;
            /** @description deletions stepped over */
            internal_delete_skipped_count: number;
            /** @description entries later than the moment asked about */
            internal_recent_skipped_count: number;
            /** @description merge operands */
            internal_merge_count: number;
            /** @description of the keys and values returned */
            iter_read_bytes: number;
            /** @description blocks found in the cache */
            block_cache_hit_count: number;
            /** @description blocks read */
            block_read_count: number;
            /** @description of these blocks */
            block_read_byte: number;
            /** @description of them, of indexes */
            index_block_read_count: number;
            /** @description of them, of data */
            data_block_read_count: number;
        };
        ScanReadsDocument: {
            /** @constant */
            schema: "varve.scan_reads/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the table */
            file: string;
            /**
             * @description how the scan reads ahead
             * @enum {string}
             */
            readahead: "off" | "doubling" | "adaptive";
            /** @description stepped over */
            entries: number;
            /** @description in order, without those that opened the table */
            reads: components["schemas"]["FileRead"][];
        };
        ScanResult: {
            /** @description that the scan returns */
            rows: number;
            /** @description there are no more, and no damage was met */
            ended: boolean;
            /** @description with which a scan fails */
            problem?: components["schemas"]["Problem"];
            /** @description key of the first row */
            first?: components["schemas"]["Bytes"];
            /** @description key of the last row */
            last?: components["schemas"]["Bytes"];
        };
        ScanRow: {
            /** @description the user key */
            key: components["schemas"]["Bytes"];
            /** @description with versions=true: of the version */
            seq?: string;
            /** @description with versions=true: put, delete, merge, ... */
            type?: string;
            /** @description what a Get returns; of a version: as stored */
            value?: components["schemas"]["Bytes"];
        };
        ScanTotals: {
            /** @description that are merged */
            runs: number;
            /** @description tables */
            files_opened: number;
            /** @description tables */
            files_not_reached: number;
            /** @description covered by a range deletion */
            entries_range_deleted: number;
            /** @description not from the cache */
            blocks_read: number;
            /** @description of these blocks */
            bytes_read: number;
            /** @description that this engine makes */
            key_comparisons: number;
            /** @description where many versions of one key are stepped over */
            reseeks: number;
            /** @description what RocksDB's PerfContext counts for the same scan */
            perf_context: components["schemas"]["ScanPerfContext"];
        };
        SkipRun: {
            /** @description entries that a scan steps over */
            skipped: number;
            /** @description deletions among them */
            tombstones: number;
            /** @description the key that a scan returns before them, if any */
            after?: components["schemas"]["Bytes"];
            /** @description the key that a scan returns next, if any */
            before?: components["schemas"]["Bytes"];
        };
        SpaceDocument: {
            /** @constant */
            schema: "varve.space/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description of tables in use */
            table_bytes: number;
            /** @description of blob files in use */
            blob_bytes: number;
            /** @description of logs */
            wal_bytes: number;
            /** @description of the MANIFEST */
            manifest_bytes: number;
            /** @description of all other files of the directory */
            other_bytes: number;
            /** @description of the orphans */
            orphan_bytes: number;
            /** @description files out of use, which the next open for writing deletes */
            orphans: components["schemas"]["OrphanFile"][];
            /** @description the column families */
            cfs: components["schemas"]["SpaceFamily"][];
        };
        SpaceFamily: {
            /** @description number of the column family */
            id: number;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description why nothing more is known of it */
            not_supported?: string;
            /** @description of an estimate: what it stands on */
            sampled?: components["schemas"]["SampledSlices"];
            /** @description those that hold something, the logs first */
            levels: components["schemas"]["SpaceLevel"][];
            /** @description of the slices looked at, if sampled */
            total: components["schemas"]["SpaceTotals"];
            /** @description among what is live: a compaction folds them together */
            merge_operands: components["schemas"]["EntryCount"];
            /** @description among the tombstones */
            range_deletions: number;
            /** @description of its blob files */
            blob_bytes: number;
            /** @description of them, what no table refers to any more */
            blob_garbage_bytes: number;
            /** @description of an estimate: of all tables' keys and values, as their properties say */
            raw_bytes: number;
            /** @description estimated, in bytes */
            live_bytes?: components["schemas"]["Interval"];
            /** @description estimated, in bytes */
            shadowed_bytes?: components["schemas"]["Interval"];
            /** @description estimated, in bytes */
            tombstone_bytes?: components["schemas"]["Interval"];
            /** @description the largest first, if keys were to be grouped */
            prefixes: components["schemas"]["SpacePrefix"][];
            /** @description no prefix is left out */
            prefixes_complete: boolean;
        };
        SpaceLevel: {
            /** @description -1: the logs */
            level: number;
            /**
             * @description wal: entries that are in the logs only
             * @enum {string}
             */
            source: "wal" | "tables";
            /** @description on this level */
            files: number;
            /** @description of these files */
            file_bytes: number;
            /** @description what a full compaction keeps */
            live: components["schemas"]["EntryCount"];
            /** @description hidden under newer versions or deletions */
            shadowed: components["schemas"]["EntryCount"];
            /** @description the deletions themselves */
            tombstones: components["schemas"]["EntryCount"];
        };
        SpacePrefix: {
            /** @description with which these keys begin */
            prefix: components["schemas"]["Bytes"];
            /** @description what a full compaction keeps */
            live: components["schemas"]["EntryCount"];
            /** @description hidden under newer versions or deletions */
            shadowed: components["schemas"]["EntryCount"];
            /** @description the deletions themselves */
            tombstones: components["schemas"]["EntryCount"];
        };
        SpaceTotals: {
            /** @description what a full compaction keeps */
            live: components["schemas"]["EntryCount"];
            /** @description hidden under newer versions or deletions */
            shadowed: components["schemas"]["EntryCount"];
            /** @description the deletions themselves */
            tombstones: components["schemas"]["EntryCount"];
        };
        StatsDocument: {
            /** @constant */
            schema: "varve.stats/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description RocksDB's tickers and histograms under their names, and more of the engine */
            stats: components["schemas"]["EngineStats"];
            /** @description of this server, at this moment */
            jobs: components["schemas"]["JobsUsage"];
        };
        StatsHistoryDocument: {
            /** @constant */
            schema: "varve.stats_history/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description one a second, the oldest first */
            samples: components["schemas"]["StatsSample"][];
        };
        StatsSample: {
            /** @description when it was taken */
            time_unix_us: number;
            /** @description sequence number of the newest write */
            seq: string;
            /** @description of all memtables */
            memtable_bytes: number;
            /** @description in the cache */
            block_cache_bytes: number;
            /** @description blocks found in the cache, until then */
            block_cache_hits: number;
            /** @description blocks that had to be read */
            block_cache_misses: number;
            /** @description puts, deletions and merges */
            entries_written: number;
            /** @description of keys and values that users wrote */
            user_bytes_written: number;
            /** @description of tables written by flushes */
            flush_bytes_written: number;
            /** @description of tables written by compactions */
            compaction_bytes_written: number;
            /** @description for which writes had to wait */
            stall_micros: number;
        };
        TableFile: {
            /** @description number of the file */
            id: string;
            /** @description of the file */
            name: string;
            /** @description name of the column family that it belongs to (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description number of that column family */
            cf_id?: number;
            /** @description that it is on */
            level?: number;
            /** @description of the file */
            size: number;
            /** @description kind of table, by its magic number */
            table_type: string;
            /** @description its first internal key, range deletions aside */
            smallest?: components["schemas"]["Bound"];
            /** @description its last internal key, range deletions aside */
            largest?: components["schemas"]["Bound"];
            /** @description deletions and merge operands included */
            entries?: number;
            /** @description of single keys, among them */
            deletions?: number;
            /** @description in the table */
            range_deletions?: number;
            /** @description merge operands, among the entries */
            merges?: number;
            /** @description in the table */
            data_blocks?: number;
            /** @description of internal keys, written out */
            raw_key_bytes?: number;
            /** @description of values, uncompressed */
            raw_value_bytes?: number;
            /** @description of data blocks, as stored */
            data_bytes?: number;
            /** @description how blocks are compressed, as the properties say */
            codec: string;
            /** @description kind that its blocks have: xxh3, crc32c, ... */
            checksum: string;
            /** @description of the table */
            format_version: number;
            /** @description in LevelDB's format */
            leveldb: boolean;
            /** @description name of the order of its keys (with escapes: \n, \\, \xff) */
            comparator: string;
            /** @description hexadecimal; empty: it has none */
            unique_id: string;
            /** @description sequence number of all its entries, which ingestion gave it */
            global_seqno?: string;
            /** @description its index */
            index: components["schemas"]["TableIndex"];
            /** @description its filter */
            filter: components["schemas"]["TableFilterSummary"];
            /** @description what Get and MultiGet use instead of the filter */
            point_index: components["schemas"]["TablePointIndex"];
            /** @description what is wrong with it and does not keep it from being read */
            warnings: string[];
        };
        TableFilter: {
            /** @description none, bloom, legacy_bloom, ribbon, per_block, constant, mixed */
            kind: string;
            /** @description as the metaindex names it */
            policy: string;
            /** @description one filter for each part of the keys */
            partitioned: boolean;
            /** @description it knows whole keys, not prefixes alone */
            whole_keys: boolean;
            /** @description of the prefixes that it knows */
            prefix_extractor: string;
            /** @description of all filters, without trailers */
            bytes: number;
            /** @description keys and prefixes added */
            entries?: number;
            /** @description bits for each of these */
            bits_per_key?: number;
            /** @description bits of a Bloom filter that a key sets */
            probes?: number;
            /** @description of a Ribbon filter: bits of a key's fingerprint, at most */
            columns?: number;
            /** @description of a Bloom filter */
            bits?: number;
            /** @description of these bits */
            bits_set?: number;
            /** @description share of the bits that are set */
            fill?: number;
            /** @description of a partitioned filter */
            partitions?: components["schemas"]["FilterPartitions"];
            /** @description how often it is wrong, as measured */
            false_positives?: components["schemas"]["FalsePositives"];
            /** @description why that is not known, or what is damaged */
            problem?: string;
        };
        TableFilterSummary: {
            /** @description none, bloom, legacy_bloom, ribbon, leveldb */
            kind: string;
            /** @description one filter for each part of the keys */
            partitioned: boolean;
            /** @description of all its blocks */
            bytes: number;
        };
        TableFooter: {
            /** @description kind of table, by its magic number */
            table_type: string;
            /** @description of the table */
            format_version: number;
            /** @description kind that its blocks have: xxh3, crc32c, ... */
            checksum: string;
            /** @description that block checksums are mixed with, from format_version 6 on; else 0 */
            base_context_checksum: string;
            /** @description the block that names others */
            metaindex: components["schemas"]["BlockHandle"];
            /** @description the index, or its top level */
            index: components["schemas"]["BlockHandle"];
        };
        TableIndex: {
            /** @description binary, hash, two_level, first_key */
            kind: string;
            /** @description blocks of a lower level; 0: it has one level */
            partitions: number;
            /** @description of all its blocks */
            bytes: number;
            /** @description its keys have no sequence numbers */
            user_keys: boolean;
            /** @description places are stored as differences from the one before */
            delta_values: boolean;
            /** @description of its only or top block */
            handle: components["schemas"]["BlockHandle"];
        };
        TablePointIndex: {
            /** @description none, all_one, dense, piecewise, hash, unusable */
            kind: string;
            /** @description of its block */
            bytes: number;
            /** @description why there is none, or why it cannot be used; empty: nobody asked for one, or it is used */
            why: string;
        };
        TableProperty: {
            /** @description of the property */
            name: string;
            /** @description as stored */
            raw: components["schemas"]["Bytes"];
            /** @description for people */
            decoded: string;
        };
        TargetDocument: {
            /** @constant */
            schema: "varve.target/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description what is open */
            target: components["schemas"]["TargetSummary"];
            /** @description of a database: what it consists of */
            db?: components["schemas"]["Database"];
            /** @description of a file */
            size?: number;
            /** @description who asks has no right to all of it: other families, logs and orphans are left out */
            cut: boolean;
        };
        TargetSummary: {
            /** @description by which paths name it */
            id: string;
            /** @description of the directory or file */
            name: string;
            /**
             * @description what it is
             * @enum {string}
             */
            kind: "db" | "sst" | "manifest" | "wal" | "unknown";
            /** @description this process has it open as a running database */
            live: boolean;
        };
        TargetsDocument: {
            /** @constant */
            schema: "varve.targets/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            targets: components["schemas"]["TargetSummary"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        Tickers: {
            /** @description blocks found in the cache, by all that share it */
            "rocksdb.block.cache.hit": number;
            /** @description blocks that were not in the cache, by all that share it */
            "rocksdb.block.cache.miss": number;
            /** @description tables that a filter kept from being searched */
            "rocksdb.bloom.filter.useful": number;
            /** @description tables searched because a filter allowed it */
            "rocksdb.bloom.filter.full.positive": number;
            /** @description tables searched because a filter allowed it that had the key */
            "rocksdb.bloom.filter.full.true.positive": number;
            /** @description point reads */
            "rocksdb.number.keys.read": number;
            /** @description puts, deletions and merges written */
            "rocksdb.number.keys.written": number;
            /** @description batches of point reads */
            "rocksdb.number.multiget.get": number;
            /** @description keys in batches of point reads */
            "rocksdb.number.multiget.keys.read": number;
            /** @description keys in batches of point reads that had a value */
            "rocksdb.number.multiget.keys.found": number;
            /** @description iterators made */
            "rocksdb.num.iterator.created": number;
            /** @description of keys and values that users wrote */
            "rocksdb.bytes.written": number;
            /** @description written to logs, headers included */
            "rocksdb.wal.bytes": number;
            /** @description of tables written by flushes */
            "rocksdb.flush.write.bytes": number;
            /** @description read by compactions */
            "rocksdb.compact.read.bytes": number;
            /** @description of tables written by compactions */
            "rocksdb.compact.write.bytes": number;
            /** @description for which writes had to wait */
            "rocksdb.stall.micros": number;
            /** @description point reads that found a value */
            "varve.gets.found": number;
            /** @description batches written */
            "varve.batches.written": number;
            /** @description flushes that have ended */
            "varve.flushes": number;
            /** @description compactions that rewrote or dropped tables */
            "varve.compactions": number;
            /** @description compactions that only changed the level of tables */
            "varve.trivial.moves": number;
            /** @description of varve.compactions, those that a compaction service did */
            "varve.remote.compactions": number;
            /** @description compactions that the service did not do, or whose result was refused */
            "varve.remote.compaction.failures": number;
            /** @description of these, those done here instead */
            "varve.remote.compaction.fallbacks": number;
            /** @description groups of writes that had to wait */
            "varve.stalls": number;
        };
        TombstonesDocument: {
            /** @constant */
            schema: "varve.tombstones/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the column families */
            cfs: components["schemas"]["TombstonesFamily"][];
        };
        TombstonesFamily: {
            /** @description number of the column family */
            id: number;
            /** @description of the column family (with escapes: \n, \\, \xff) */
            name: string;
            /** @description why nothing more is known of it */
            not_supported?: string;
            /** @description of an estimate: what it stands on */
            sampled?: components["schemas"]["SampledSlices"];
            /** @description that a scan of all returns */
            keys: number;
            /** @description entries that it steps over */
            skipped: number;
            /** @description deletions */
            tombstones: components["schemas"]["EntryCount"];
            /** @description among them */
            range_deletions: number;
            /** @description of all kinds */
            entries: number;
            /** @description entries stepped over for each key returned, estimated */
            skipped_per_key?: components["schemas"]["Interval"];
            /** @description of entries between two keys that a scan returns; the longest first */
            longest_runs: components["schemas"]["SkipRun"][];
        };
        Upload: {
            /** @description of the upload */
            id: string;
            /** @description those that are complete */
            tables: components["schemas"]["UploadedTable"][];
            /** @description of these */
            bytes: number;
        };
        UploadDocument: {
            /** @constant */
            schema: "varve.upload/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description as it is now */
            upload: components["schemas"]["Upload"];
            /** @description that all uploads together may have */
            bytes_max: number;
            /** @description that an upload may have */
            tables_max: number;
            /** @description after so many without a request about it, it is removed */
            expiry_seconds: number;
        };
        UploadedTable: {
            /** @description of the file, for the job that adds it */
            name: string;
            /** @description of the file */
            size: number;
            /** @description of its bytes, in hex */
            sha256: string;
        };
        UploadedTableDocument: {
            /** @constant */
            schema: "varve.uploaded_table/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description as it is stored */
            table: components["schemas"]["UploadedTable"];
        };
        UploadsDocument: {
            /** @constant */
            schema: "varve.uploads/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            uploads: components["schemas"]["Upload"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        VerifyDocument: {
            /** @constant */
            schema: "varve.verify/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description everything was checked and is sound */
            clean: boolean;
            /** @description looked at */
            files: number;
            /** @description of tables, looked at */
            blocks: number;
            /** @description looked at */
            bytes: number;
            /** @description of tables, looked at */
            entries: number;
            /** @description looked at */
            wal_records: number;
            /** @description all of them are in the list of the job's findings */
            findings_total: number;
            /** @description the first thousand */
            findings: components["schemas"]["Finding"][];
        };
        Version: {
            /** @description name of the MANIFEST */
            manifest: string;
            /** @description after which this is the state */
            edit: string;
            /** @description of the MANIFEST, as far as it can be read */
            edits: string;
            /** @description of that file */
            manifest_bytes: number;
            /** @description last sequence number, as the MANIFEST says; logs may hold later ones */
            last_seq: string;
            /** @description number of the next new file, as the MANIFEST says */
            next_file_number: string;
            /** @description that the scores are computed with; empty: there is none */
            options_file: string;
            /** @description the column families */
            cfs: components["schemas"]["FamilySummary"][];
            /** @description files that it names and that are not there */
            missing: string[];
            /** @description tables of another size than it says, with both sizes */
            wrong_size: string[];
            /** @description table and blob files that the MANIFEST does not name */
            orphans: string[];
            /** @description what could not be read */
            warnings: string[];
        };
        VersionDocument: {
            /** @constant */
            schema: "varve.version/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description the tree after the edit */
            version: components["schemas"]["Version"];
        };
        VersionsChange: {
            /**
             * @description from A to B
             * @enum {string}
             */
            change: "removed" | "added" | "moved";
            /** @description of a table that was moved */
            from?: components["schemas"]["FileBefore"];
            /** @description the table */
            file: components["schemas"]["FileSummary"];
        };
        VersionsDiffDocument: {
            /** @constant */
            schema: "varve.versions_diff/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description what is compared */
            a: components["schemas"]["VersionsSide"];
            /** @description what it is compared with */
            b: components["schemas"]["VersionsSide"];
            /** @description families of A, then those of B alone */
            cfs: components["schemas"]["FamilyDiff"][];
            /** @description there is no difference */
            equal: boolean;
            changes: components["schemas"]["VersionsChange"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        VersionsSide: {
            /** @description name of the MANIFEST */
            manifest: string;
            /** @description after which it is compared */
            edit: string;
            /** @description last sequence number then */
            seq: string;
        };
        WalFile: {
            /** @description number of the log */
            id: string;
            /** @description of the file */
            size: number;
            /** @description would be replayed at open */
            live: boolean;
        };
        WalOperation: {
            /** @description put, delete, merge, range_deletion, log_data, ... */
            type: string;
            /** @description the family that it names */
            cf_id: number;
            /** @description that family's name, if the MANIFEST has it (with escapes: \n, \\, \xff) */
            cf?: string;
            /** @description its sequence number, unless a commit gives it */
            seq?: string;
            /** @description recovery would put it into a memtable */
            live?: boolean;
            /** @description of a range deletion: where it begins */
            key: components["schemas"]["Bytes"];
            /** @description of a range deletion: its end, exclusive */
            value: components["schemas"]["Bytes"];
        };
        WalRecord: {
            /** @description where it begins in the log */
            offset: number;
            /** @description in the log, headers included; of damage: what is lost */
            size: number;
            /** @description as stored in the header of its first fragment: masked */
            crc?: string;
            /** @description of the whole batch */
            payload_crc32c?: string;
            /** @description of the batch */
            batch_bytes?: number;
            /** @description sequence number of its first operation */
            seq?: string;
            /** @description operations, as its header says */
            count?: number;
            /** @description what it does */
            ops?: components["schemas"]["WalOperation"][];
            /** @description what is wrong here: no batch */
            damage?: string;
            /** @description the log ends here, as a crash leaves it: no damage */
            unfinished?: boolean;
        };
        WalRecordsDocument: {
            /** @constant */
            schema: "varve.wal_records/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description number of the log */
            wal: string;
            records: components["schemas"]["WalRecord"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
        WalSegment: {
            /** @description number of the log */
            id: string;
            /** @description path within the database */
            name: string;
            /** @description of the file */
            size: number;
            /** @description would be replayed at open; the others are obsolete */
            live: boolean;
            /** @description of a file that is used again */
            recyclable: boolean;
            /** @description whole ones */
            batches: number;
            /** @description of these batches */
            operations: number;
            /** @description lowest sequence number in it */
            first_seq?: string;
            /** @description highest sequence number in it */
            last_seq?: string;
            /** @description lost to damage */
            damaged_bytes: number;
            /** @description of a last record that a crash cut off */
            unfinished_bytes: number;
            /** @description where, and what: the first few places */
            damage: string[];
        };
        WalsDocument: {
            /** @constant */
            schema: "varve.wals/1";
            as_of: components["schemas"]["AsOf"];
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["Recovery"];
            /** @description opening the database replays no log below this number */
            min_log_number: string;
            segments: components["schemas"]["WalSegment"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: components["schemas"]["Problem"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AsOf = components['schemas']['AsOf'];
export type Batch = components['schemas']['Batch'];
export type BatchDocument = components['schemas']['BatchDocument'];
export type Block = components['schemas']['Block'];
export type BlockChecksum = components['schemas']['BlockChecksum'];
export type BlockDocument = components['schemas']['BlockDocument'];
export type BlockEntriesDocument = components['schemas']['BlockEntriesDocument'];
export type BlockEntry = components['schemas']['BlockEntry'];
export type BlockHandle = components['schemas']['BlockHandle'];
export type BlockRead = components['schemas']['BlockRead'];
export type BlocksDocument = components['schemas']['BlocksDocument'];
export type Bound = components['schemas']['Bound'];
export type Bytes = components['schemas']['Bytes'];
export type Capabilities = components['schemas']['Capabilities'];
export type CfDocument = components['schemas']['CfDocument'];
export type CfsDocument = components['schemas']['CfsDocument'];
export type CodecTotals = components['schemas']['CodecTotals'];
export type CompactDocument = components['schemas']['CompactDocument'];
export type CompactionShape = components['schemas']['CompactionShape'];
export type CompressionDocument = components['schemas']['CompressionDocument'];
export type CompressionFamily = components['schemas']['CompressionFamily'];
export type CompressionLevel = components['schemas']['CompressionLevel'];
export type ContentDigest = components['schemas']['ContentDigest'];
export type Database = components['schemas']['Database'];
export type DiffDocument = components['schemas']['DiffDocument'];
export type DigestDocument = components['schemas']['DigestDocument'];
export type DurationBucket = components['schemas']['DurationBucket'];
export type DurationHistogram = components['schemas']['DurationHistogram'];
export type Edit = components['schemas']['Edit'];
export type EditBlobFile = components['schemas']['EditBlobFile'];
export type EditCounters = components['schemas']['EditCounters'];
export type EditDeletedFile = components['schemas']['EditDeletedFile'];
export type EditFile = components['schemas']['EditFile'];
export type EditsDocument = components['schemas']['EditsDocument'];
export type EngineStats = components['schemas']['EngineStats'];
export type EntriesDocument = components['schemas']['EntriesDocument'];
export type Entry = components['schemas']['Entry'];
export type EntryCount = components['schemas']['EntryCount'];
export type EventsDocument = components['schemas']['EventsDocument'];
export type Expectation = components['schemas']['Expectation'];
export type ExplainDocument = components['schemas']['ExplainDocument'];
export type ExplainReadsDocument = components['schemas']['ExplainReadsDocument'];
export type ExplainScanDocument = components['schemas']['ExplainScanDocument'];
export type ExplainStep = components['schemas']['ExplainStep'];
export type ExplainedGet = components['schemas']['ExplainedGet'];
export type FalsePositives = components['schemas']['FalsePositives'];
export type FamilyDiff = components['schemas']['FamilyDiff'];
export type FamilyStats = components['schemas']['FamilyStats'];
export type FamilySummary = components['schemas']['FamilySummary'];
export type FamilyWrites = components['schemas']['FamilyWrites'];
export type FileBefore = components['schemas']['FileBefore'];
export type FileDocument = components['schemas']['FileDocument'];
export type FileRead = components['schemas']['FileRead'];
export type FileSummary = components['schemas']['FileSummary'];
export type FilesDocument = components['schemas']['FilesDocument'];
export type FilterDocument = components['schemas']['FilterDocument'];
export type FilterLook = components['schemas']['FilterLook'];
export type FilterPartitions = components['schemas']['FilterPartitions'];
export type FilterProbeDocument = components['schemas']['FilterProbeDocument'];
export type FilterTotals = components['schemas']['FilterTotals'];
export type FiltersDocument = components['schemas']['FiltersDocument'];
export type FiltersFamily = components['schemas']['FiltersFamily'];
export type FiltersLevel = components['schemas']['FiltersLevel'];
export type Finding = components['schemas']['Finding'];
export type FindingsDocument = components['schemas']['FindingsDocument'];
export type FlushDocument = components['schemas']['FlushDocument'];
export type FooterDocument = components['schemas']['FooterDocument'];
export type GetDocument = components['schemas']['GetDocument'];
export type GetResult = components['schemas']['GetResult'];
export type HexDocument = components['schemas']['HexDocument'];
export type HistogramBar = components['schemas']['HistogramBar'];
export type Histograms = components['schemas']['Histograms'];
export type HistoryDocument = components['schemas']['HistoryDocument'];
export type HistoryFile = components['schemas']['HistoryFile'];
export type HistoryJob = components['schemas']['HistoryJob'];
export type IndexDocument = components['schemas']['IndexDocument'];
export type IngestedDocument = components['schemas']['IngestedDocument'];
export type Interval = components['schemas']['Interval'];
export type Job = components['schemas']['Job'];
export type JobBody = components['schemas']['JobBody'];
export type JobDocument = components['schemas']['JobDocument'];
export type JobProgress = components['schemas']['JobProgress'];
export type JobsDocument = components['schemas']['JobsDocument'];
export type JobsUsage = components['schemas']['JobsUsage'];
export type KeyVersion = components['schemas']['KeyVersion'];
export type Keys = components['schemas']['Keys'];
export type KeyspaceDocument = components['schemas']['KeyspaceDocument'];
export type KeyspaceFamily = components['schemas']['KeyspaceFamily'];
export type KeyspaceSlice = components['schemas']['KeyspaceSlice'];
export type LayoutDocument = components['schemas']['LayoutDocument'];
export type LayoutRange = components['schemas']['LayoutRange'];
export type Level = components['schemas']['Level'];
export type LevelDelta = components['schemas']['LevelDelta'];
export type LevelSize = components['schemas']['LevelSize'];
export type LevelSummary = components['schemas']['LevelSummary'];
export type LevelsDocument = components['schemas']['LevelsDocument'];
export type Limits = components['schemas']['Limits'];
export type Lineage = components['schemas']['Lineage'];
export type LineageDocument = components['schemas']['LineageDocument'];
export type LineageStep = components['schemas']['LineageStep'];
export type LocateDocument = components['schemas']['LocateDocument'];
export type LocatedFile = components['schemas']['LocatedFile'];
export type LocatedInLogs = components['schemas']['LocatedInLogs'];
export type LogEvent = components['schemas']['LogEvent'];
export type LostRange = components['schemas']['LostRange'];
export type MemtableSearch = components['schemas']['MemtableSearch'];
export type MetaindexEntry = components['schemas']['MetaindexEntry'];
export type MultiGetResult = components['schemas']['MultiGetResult'];
export type MultigetDocument = components['schemas']['MultigetDocument'];
export type Option = components['schemas']['Option'];
export type OptionValues = components['schemas']['OptionValues'];
export type OptionsDocument = components['schemas']['OptionsDocument'];
export type OptionsPatchDocument = components['schemas']['OptionsPatchDocument'];
export type OrphanFile = components['schemas']['OrphanFile'];
export type Overlap = components['schemas']['Overlap'];
export type Plugin = components['schemas']['Plugin'];
export type PluginsDocument = components['schemas']['PluginsDocument'];
export type Problem = components['schemas']['Problem'];
export type PropertiesDocument = components['schemas']['PropertiesDocument'];
export type RangeDeletion = components['schemas']['RangeDeletion'];
export type RangeDelsDocument = components['schemas']['RangeDelsDocument'];
export type ReadPerfContext = components['schemas']['ReadPerfContext'];
export type ReadTotals = components['schemas']['ReadTotals'];
export type RecordDifference = components['schemas']['RecordDifference'];
export type Recovery = components['schemas']['Recovery'];
export type RecoveryLoss = components['schemas']['RecoveryLoss'];
export type Right = components['schemas']['Right'];
export type RootDocument = components['schemas']['RootDocument'];
export type RunningCompaction = components['schemas']['RunningCompaction'];
export type SalvageDocument = components['schemas']['SalvageDocument'];
export type SalvageLoss = components['schemas']['SalvageLoss'];
export type SampledSlices = components['schemas']['SampledSlices'];
export type ScanDocument = components['schemas']['ScanDocument'];
export type ScanPart = components['schemas']['ScanPart'];
export type ScanPerfContext = components['schemas']['ScanPerfContext'];
export type ScanReadsDocument = components['schemas']['ScanReadsDocument'];
export type ScanResult = components['schemas']['ScanResult'];
export type ScanRow = components['schemas']['ScanRow'];
export type ScanTotals = components['schemas']['ScanTotals'];
export type SkipRun = components['schemas']['SkipRun'];
export type SpaceDocument = components['schemas']['SpaceDocument'];
export type SpaceFamily = components['schemas']['SpaceFamily'];
export type SpaceLevel = components['schemas']['SpaceLevel'];
export type SpacePrefix = components['schemas']['SpacePrefix'];
export type SpaceTotals = components['schemas']['SpaceTotals'];
export type StatsDocument = components['schemas']['StatsDocument'];
export type StatsHistoryDocument = components['schemas']['StatsHistoryDocument'];
export type StatsSample = components['schemas']['StatsSample'];
export type TableFile = components['schemas']['TableFile'];
export type TableFilter = components['schemas']['TableFilter'];
export type TableFilterSummary = components['schemas']['TableFilterSummary'];
export type TableFooter = components['schemas']['TableFooter'];
export type TableIndex = components['schemas']['TableIndex'];
export type TablePointIndex = components['schemas']['TablePointIndex'];
export type TableProperty = components['schemas']['TableProperty'];
export type TargetDocument = components['schemas']['TargetDocument'];
export type TargetSummary = components['schemas']['TargetSummary'];
export type TargetsDocument = components['schemas']['TargetsDocument'];
export type Tickers = components['schemas']['Tickers'];
export type TombstonesDocument = components['schemas']['TombstonesDocument'];
export type TombstonesFamily = components['schemas']['TombstonesFamily'];
export type Upload = components['schemas']['Upload'];
export type UploadDocument = components['schemas']['UploadDocument'];
export type UploadedTable = components['schemas']['UploadedTable'];
export type UploadedTableDocument = components['schemas']['UploadedTableDocument'];
export type UploadsDocument = components['schemas']['UploadsDocument'];
export type VerifyDocument = components['schemas']['VerifyDocument'];
export type Version = components['schemas']['Version'];
export type VersionDocument = components['schemas']['VersionDocument'];
export type VersionsChange = components['schemas']['VersionsChange'];
export type VersionsDiffDocument = components['schemas']['VersionsDiffDocument'];
export type VersionsSide = components['schemas']['VersionsSide'];
export type WalFile = components['schemas']['WalFile'];
export type WalOperation = components['schemas']['WalOperation'];
export type WalRecord = components['schemas']['WalRecord'];
export type WalRecordsDocument = components['schemas']['WalRecordsDocument'];
export type WalSegment = components['schemas']['WalSegment'];
export type WalsDocument = components['schemas']['WalsDocument'];
export type $defs = Record<string, never>;
export interface operations {
    get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RootDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TargetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CfsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CfDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files: {
        parameters: {
            query?: {
                /** @description column family, by name or id; "default" if not given (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description of this level only */
                level?: number | string;
                /** @description that may hold this key or a later one (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                overlaps_from?: string;
                /** @description that may hold a key before this one (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                overlaps_to?: string;
                /** @description level if not given */
                order_by?: "level" | "size" | "number" | "age" | "overlap";
                /** @description as after this edit; the newest if not given */
                edit?: number | string;
                /** @description open the tables: entries and deletions too */
                properties?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n: {
        parameters: {
            query?: {
                /** @description properties, lineage or both, separated by a comma */
                include?: string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_properties: {
        parameters: {
            query?: {
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertiesDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_footer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FooterDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description only the part that holds this byte */
                at?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal_n_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_manifest_layout: {
        parameters: {
            query?: {
                /** @description whole parts, or every field of them */
                depth?: "parts" | "fields";
                /** @description the first part begins here or later */
                from_offset?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_index: {
        parameters: {
            query?: {
                /** @description the offset of a partition */
                partition?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks: {
        parameters: {
            query?: {
                /** @description of this kind only */
                kind?: "data" | "filter" | "filter_partition" | "filter_index" | "per_block_filter" | "index" | "index_partition" | "point_index" | "properties" | "dictionary" | "range_deletions" | "metaindex" | "meta";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocksDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks_offset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
                offset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_blocks_offset_entries: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
                offset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockEntriesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_filter: {
        parameters: {
            query?: {
                /** @description absent keys to ask for; 20000 if not given */
                ask?: number | string;
                /** @description of what they are made from */
                seed?: number | string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_filter_probe: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterProbeDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_scan_reads: {
        parameters: {
            query?: {
                /** @description doubling if not given */
                readahead?: "off" | "doubling" | "adaptive";
                /** @description to step over at most; 1000 if not given */
                entries?: number | string;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanReadsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_entries: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description exclusive end of the range (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description only keys with this prefix (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                prefix?: string;
                /** @description no values */
                keys_only?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntriesDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_range_dels: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeDelsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_hex: {
        parameters: {
            query?: {
                /** @description the first; 0 if not given */
                offset?: number | string;
                /** @description how many; 512 if not given, at most 65536 */
                size?: number | string;
                /** @description only the block that begins at this offset */
                block?: number | string;
                /** @description the decompressed contents of the block */
                decoded?: boolean;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HexDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_bytes: {
        parameters: {
            query?: {
                /** @description the offset of a block: its bytes, trailer included */
                block?: number | string;
                /** @description what the block decompresses to */
                decoded?: boolean;
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_levels: {
        parameters: {
            query?: {
                /** @description as after this edit; the newest if not given */
                edit?: number | string;
                /** @description open the tables: scores count deletions */
                properties?: boolean;
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LevelsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_versions_edit: {
        parameters: {
            query?: {
                /** @description open the tables: scores count deletions */
                properties?: boolean;
            };
            header?: never;
            path: {
                t: string;
                edit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_versions_diff: {
        parameters: {
            query?: {
                /** @description an edit; the newest if not given */
                a?: number | string;
                /** @description another; the newest if not given */
                b?: number | string;
                /** @description the target that b is an edit of; this one if not given */
                against?: string;
                /** @description of this column family only (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionsDiffDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_manifest_edits: {
        parameters: {
            query?: {
                /** @description the first edit, counted from 1 */
                from?: number | string;
                /** @description the last edit */
                to?: number | string;
                /** @description of this column family only (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description edits of this kind only */
                kind?: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "add_family" | "drop_family" | "counters";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_history: {
        parameters: {
            query?: {
                /** @description of this column family only (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description jobs of this kind only */
                kind?: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_files_n_lineage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineageDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_wal_n_records: {
        parameters: {
            query?: {
                /** @description of the first record */
                from_offset?: number | string;
                /** @description batches without their operations */
                headers?: boolean;
                /** @description of this column family only (with escapes: \n, \\, \xff) */
                cf?: string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                n: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalRecordsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_events: {
        parameters: {
            query?: {
                /** @description of these types only, separated by commas */
                types?: string;
                /** @description of this job only */
                job?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_options: {
        parameters: {
            query?: {
                /** @description also options that have their default values */
                all?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patch_targets_t_cfs_cf_options: {
        parameters: {
            query?: {
                /** @description only say whether they could be set */
                validate_only?: boolean;
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptionValues"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsPatchDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_options: {
        parameters: {
            query?: {
                /** @description also options that have their default values */
                all?: boolean;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_stats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_stats_history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsHistoryDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_get: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
                /** @description with the SHA-256 of the value */
                digest?: boolean;
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_multiget: {
        parameters: {
            query?: {
                /** @description no values */
                keys_only?: boolean;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keys"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MultigetDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_scan: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description exclusive end of the range (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description only keys with this prefix (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                prefix?: string;
                /** @description from the last to the first */
                reverse?: boolean;
                /** @description no values */
                keys_only?: boolean;
                /** @description every stored version, deletions included */
                versions?: boolean;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_explain: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description what to do */
                op?: "get";
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_explain: {
        parameters: {
            query?: {
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keys"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainReadsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_locate: {
        parameters: {
            query: {
                /** @description the key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                key: string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocateDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_cfs_cf_explain_scan: {
        parameters: {
            query?: {
                /** @description first key (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                from?: string;
                /** @description exclusive end of the range (a literal: text, hex:…, b64:…, esc:…, u64be:…) */
                to?: string;
                /** @description to scan; 100 if not given */
                rows?: number | string;
                /** @description as of this sequence number */
                at_seq?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainScanDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_cfs_cf_flush: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                cf: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlushDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_batch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_uploads: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_uploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_uploads_u: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                u: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_targets_t_uploads_u: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                u: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_uploads_u_tables: {
        parameters: {
            query: {
                /** @description of the body: 64 hex digits in lower case */
                sha256: string;
            };
            header?: never;
            path: {
                t: string;
                u: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedTableDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_targets_t_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobBody"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_targets_t_jobs_j: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j_result: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyDocument"] | components["schemas"]["DigestDocument"] | components["schemas"]["DiffDocument"] | components["schemas"]["CompactDocument"] | components["schemas"]["IngestedDocument"] | components["schemas"]["SalvageDocument"] | components["schemas"]["SpaceDocument"] | components["schemas"]["TombstonesDocument"] | components["schemas"]["KeyspaceDocument"] | components["schemas"]["FiltersDocument"] | components["schemas"]["CompressionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_jobs_j_findings: {
        parameters: {
            query?: {
                /** @description rows of a page; 100 if not given */
                page_size?: number | string;
                /** @description next_page_token of the page before */
                page_token?: string;
                /** @description at most so many rows of a page or stream */
                limit?: number | string;
                /** @description how keys and values are shown */
                bytes?: "hex" | "b64" | "text" | "none" | "full";
            };
            header?: never;
            path: {
                t: string;
                j: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingsDocument"];
                    "application/jsonl": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_targets_t_analyses_analysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                t: string;
                analysis: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceDocument"] | components["schemas"]["TombstonesDocument"] | components["schemas"]["KeyspaceDocument"] | components["schemas"]["FiltersDocument"] | components["schemas"]["CompressionDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_plugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginsDocument"];
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_schema_name_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description a problem */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
